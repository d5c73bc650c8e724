import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../addons/addon-error.ts';
import type { Addon } from '../addons/catalogue.ts';

export interface Defined {
  readonly kind: 'model' | 'inherit' | 'text';
  readonly name: string;
  readonly place: Place;
}

export interface SourceFile {
  readonly file: string;
  readonly lines: readonly string[];
}

export interface SourcePlaces {
  /**
   * Where an addon's code mentions a name of a model: its field, action or move, or the model itself; in a part such as `computes`.
   * If that takes several lines, the one with the first of the words that it has.
   */
  of(model: string, name?: string, part?: string, words?: readonly string[]): Place;
  /** The first line of the code with a text, otherwise the beginning of addon.ts. */
  saying(text: string): Place;
  /** The first line with some words in what begins with a text, such as a definition; otherwise that beginning. */
  within(text: string, words: string): Place;
  /** Models and texts that the code defines or extends, each with its place. */
  defined(): readonly Defined[];
  /** The code itself: that of the server, and that of the browser. */
  readonly files: readonly SourceFile[];
  readonly clientFiles: readonly SourceFile[];
  /** Every line of the code that matches. */
  matching(pattern: RegExp): readonly Place[];
}

/** Finds the lines of an addon's code that cause a mistake in a model, by their text. */
export function sourcePlaces({ name: addon, folder }: Addon): SourcePlaces {
  const read = (file: string) => ({ file, lines: readFileSync(join(folder, file), 'utf8').split('\n') });
  const files = codeFiles(folder, '', notServer).map(read);
  return {
    files,
    get clientFiles() {
      return existsSync(join(folder, 'client')) ? codeFiles(folder, 'client', notCode).map(read) : [];
    },
    saying(text) {
      for (const { file, lines } of files) {
        const at = lines.findIndex((line) => line.includes(text));
        if (at >= 0) return { addon, file, line: at + 1 };
      }
      return { addon, file: 'addon.ts', line: 1 };
    },
    within(text, words) {
      for (const { file, lines } of files) {
        const at = lines.findIndex((line) => line.includes(text));
        if (at < 0) continue;
        const found = lines.findIndex(
          (line, index) => index >= at && index < blockEnd(lines, at) && line.includes(words),
        );
        return { addon, file, line: (found < 0 ? at : found) + 1 };
      }
      return { addon, file: 'addon.ts', line: 1 };
    },
    defined: () =>
      files.flatMap(({ file, lines }) =>
        lines.flatMap((line, index): readonly Defined[] => {
          const [, word, name] = /\b(defineModel|inheritModel|defineText)\(\s*['"]([^'"]+)['"]/.exec(line) ?? [];
          if (name === undefined || /^\s*(\*|\/\/)/.test(line)) return [];
          const kind = word === 'defineModel' ? 'model' : word === 'defineText' ? 'text' : 'inherit';
          return [{ kind, name, place: { addon, file, line: index + 1 } }];
        }),
      ),
    matching: (pattern) =>
      files.flatMap(({ file, lines }) =>
        lines.flatMap((line, index) => (pattern.test(line) ? [{ addon, file, line: index + 1 }] : [])),
      ),
    of(model, name, part, words = []) {
      const owners = files.filter(({ lines }) => definitionOf(model).test(lines.join('\n')));
      const place = { addon, file: 'addon.ts', line: 1 };
      for (const { file, lines } of owners) {
        const at = name === undefined ? -1 : lineNaming(lines, model, name, part);
        if (at >= 0) return { addon, file, line: lineWith(lines, at, words) + 1 };
      }
      const [first] = owners;
      if (!first) return place;
      return {
        addon,
        file: first.file,
        line:
          Math.max(
            0,
            first.lines.findIndex((line) => definitionOf(model).test(line)),
          ) + 1,
      };
    },
  };
}

/** The line that begins a member of a model: among its own lines first, then anywhere in the file. -1 if there is none. */
function lineNaming(lines: readonly string[], model: string, name: string, part?: string): number {
  const named = new RegExp(`(?:^|[{,])\\s*${escaped(name)}\\s*[:(]`);
  const defined = lines.findIndex((line) => definitionOf(model).test(line));
  const from = lines.findIndex((line, index) => index >= defined && line.includes(`${part}:`));
  const begin = part === undefined || from < 0 ? defined : from;
  const [, constant] = /\bfields: (\w+)/.exec(lines.slice(defined, blockEnd(lines, defined)).join('\n')) ?? [];
  const fields = lines.findIndex((line) => line.includes(`const ${constant} =`));
  const ranges = [
    ...(part === undefined && fields >= 0 ? [[fields, blockEnd(lines, fields)]] : []),
    [begin, blockEnd(lines, begin)],
    [0, lines.length],
  ] as const;
  for (const [start = 0, end = 0] of ranges) {
    const at = lines.findIndex((line, index) => index >= start && index < end && named.test(line));
    if (at >= 0) return at;
  }
  return -1;
}

function definitionOf(model: string): RegExp {
  return new RegExp(`\\b(?:defineModel|inheritModel|companySettings)\\(\\s*['"]${escaped(model)}['"]`);
}

/** The end of what begins in a line: the next line that is not further in. */
function blockEnd(lines: readonly string[], at: number): number {
  const depth = (line: string) => line.search(/\S/);
  const end = lines.findIndex((line, index) => index > at && depth(line) >= 0 && depth(line) <= depth(lines[at] ?? ''));
  return end < 0 ? lines.length : end;
}

/** The line of what begins there that contains the first of the words that it has. */
function lineWith(lines: readonly string[], at: number, words: readonly string[]): number {
  const end = blockEnd(lines, at);
  for (const word of words) {
    const quoted = new RegExp(`['"\\s{.]${escaped(word)}(?:['":.]|$)`);
    const found = lines.findIndex((line, index) => index >= at && index < end && quoted.test(line));
    if (found >= 0) return found;
  }
  return at;
}

const notServer = /^(node_modules|tests|client|\..*)$/;
const notCode = /^(node_modules|tests|\..*)$/;

function codeFiles(folder: string, prefix: string, without: RegExp): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name);
    if (without.test(entry.name)) return [];
    if (entry.isDirectory()) return codeFiles(folder, path, without);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
