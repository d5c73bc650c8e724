import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../addons/addon-error.ts';
import type { Addon } from '../addons/catalogue.ts';

export interface Defined {
  readonly kind: 'model' | 'inherit';
  readonly model: string;
  readonly place: Place;
}

export interface SourcePlaces {
  /** Where an addon's code mentions a name of a model: its field, action or move, or the model itself; in a part such as `computes`. */
  of(model: string, name?: string, part?: string): Place;
  /** The first line of the code with a text, otherwise the beginning of addon.ts. */
  saying(text: string): Place;
  /** Models that the code defines or extends, each with its place. */
  defined(): readonly Defined[];
  /** Every line of the code that matches. */
  matching(pattern: RegExp): readonly Place[];
}

/** Finds the lines of an addon's code that cause a mistake in a model, by their text. */
export function sourcePlaces({ name: addon, folder }: Addon): SourcePlaces {
  const files = codeFiles(folder, '').map((file) => ({
    file,
    lines: readFileSync(join(folder, file), 'utf8').split('\n'),
  }));
  return {
    saying(text) {
      for (const { file, lines } of files) {
        const at = lines.findIndex((line) => line.includes(text));
        if (at >= 0) return { addon, file, line: at + 1 };
      }
      return { addon, file: 'addon.ts', line: 1 };
    },
    defined: () =>
      files.flatMap(({ file, lines }) =>
        lines.flatMap((line, index): readonly Defined[] => {
          const [, word, model] = /\b(defineModel|inheritModel)\(\s*['"]([^'"]+)['"]/.exec(line) ?? [];
          if (model === undefined || /^\s*(\*|\/\/)/.test(line)) return [];
          const kind = word === 'defineModel' ? 'model' : 'inherit';
          return [{ kind, model, place: { addon, file, line: index + 1 } }];
        }),
      ),
    matching: (pattern) =>
      files.flatMap(({ file, lines }) =>
        lines.flatMap((line, index) => (pattern.test(line) ? [{ addon, file, line: index + 1 }] : [])),
      ),
    of(model, name, part) {
      const owner = new RegExp(`\\b(?:defineModel|inheritModel|companySettings)\\(\\s*['"]${escaped(model)}['"]`);
      const owners = files.filter(({ lines }) => owner.test(lines.join('\n')));
      const place = { addon, file: 'addon.ts', line: 1 };
      for (const { file, lines } of owners) {
        const from = part === undefined ? 0 : lines.findIndex((line) => line.includes(`${part}:`));
        const named = new RegExp(`(?:^|[{,])\\s*${escaped(name ?? '')}\\s*[:(]`);
        const at = name === undefined ? -1 : lines.findIndex((line, index) => index >= from && named.test(line));
        if (at >= 0) return { addon, file, line: at + 1 };
      }
      const [first] = owners;
      if (!first) return place;
      return { addon, file: first.file, line: first.lines.findIndex((line) => line.includes(model)) + 1 };
    },
  };
}

function codeFiles(folder: string, prefix: string): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name);
    if (/^(node_modules|tests|client|\..*)$/.test(entry.name)) return [];
    if (entry.isDirectory()) return codeFiles(folder, path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
