import { setImmediate } from 'node:timers/promises';

export type IsoKind = 'region' | 'currency';

/** The names of a file without case, accents and punctuation: `E-Mail-Adresse` and `email adresse` are the same. */
export function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The locale of a language such as `de_DE`; of one that nobody knows, English. */
export function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-').replace(/@.*$/, ''))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
let languages: readonly string[] | null = null;

/** Every language of two letters whose names this process knows. */
function knownLanguages(): readonly string[] {
  languages ??= Intl.DisplayNames.supportedLocalesOf(letters.flatMap((a) => letters.map((b) => a + b)));
  return languages;
}

/**
 * The ISO codes of countries or currencies by their names in any language; `own` is tried first. One language at a time, and others are served in
 * between: all of them together take a fifth of a second.
 */
export async function codesByName(
  kind: IsoKind,
  names: Iterable<string>,
  codes: readonly string[],
  own: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const open = new Map([...names].map((name) => [keyOf(name), name]));
  open.delete('');
  for (const language of [own, ...knownLanguages()]) {
    if (open.size === 0) break;
    const long = new Intl.DisplayNames(language, { type: kind, fallback: 'none' });
    const short = new Intl.DisplayNames(language, { type: kind, fallback: 'none', style: 'short' });
    for (const code of codes) {
      for (const each of [code, long.of(code), short.of(code)]) {
        const key = each === undefined ? '' : keyOf(each);
        const name = open.get(key);
        if (name === undefined) continue;
        found.set(name, code);
        open.delete(key);
      }
    }
    await setImmediate();
  }
  return found;
}
