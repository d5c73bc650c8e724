import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languageTag } from './language-chain.ts';
import { type PoEntry, PoError, parsePo } from './parse-po.ts';

/** The translations of one addon in one language. */
export interface Wordbook {
  /** By English text; a plural has one entry for each form. */
  readonly words: ReadonlyMap<string, string>;
  /** Texts of the addon's browser code (context `client`). */
  readonly clientWords: ReadonlyMap<string, string>;
  /** Names that records of its data files get (context `data`). */
  readonly dataWords: ReadonlyMap<string, string>;
  /** Names of a field in files, comma-separated (context `import`), by its English synonym. */
  readonly importWords: ReadonlyMap<string, string>;
}
export type Wordbooks = ReadonlyMap<string, Wordbook>;

/** Called if a file cannot be read: its name in the folder, the line, and why. */
export type Refuse = (file: string, line: number, message: string) => Error;

const fileName = /^([a-z]{2,3}(?:_[A-Z][A-Za-z]{1,3})?(?:_[A-Z]{2})?)\.po$/;

/** Whether a wordbook may be named so: `de_DE`, `ar`. */
export function isLanguageCode(lang: string): boolean {
  return fileName.test(`${lang}.po`);
}

/** The translations in a folder `i18n`, by language; none if there is no folder. */
export async function readWordbooks(folder: string, refuse: Refuse): Promise<Wordbooks> {
  const books = await openWordbooks(folder, refuse);
  return new Map(
    [...books].map(([lang, { words, clientWords, dataWords, importWords }]) => [
      lang,
      { words, clientWords, dataWords, importWords },
    ]),
  );
}

/**
 * The same for files that are known to be valid, such as those of Kontor: they are read now and parsed when a user needs the
 * language. Removing the folder in the meantime has no effect.
 */
export async function openWordbooks(folder: string, refuse: Refuse): Promise<Wordbooks> {
  const names = (await readdir(folder).catch(noneIfAbsent)).filter((each) => each.endsWith('.po')).sort();
  const books = await Promise.all(
    names.map(async (name): Promise<[string, Wordbook]> => {
      const lang = fileName.exec(name)?.[1];
      if (lang === undefined) throw refuse(name, 1, 'A wordbook is named after its language, such as de_DE.po.');
      const refuseLine = (line: number, message: string) => refuse(name, line, message);
      return [lang, lazyWordbook(lang, await readFile(join(folder, name)), refuseLine)];
    }),
  );
  return new Map(books);
}

function lazyWordbook(lang: string, file: Buffer, refuse: (line: number, message: string) => Error): Wordbook {
  let known: Buffer | Wordbook = file;
  const read = (): Wordbook => {
    try {
      if (Buffer.isBuffer(known)) known = toWordbook(lang, parsePo(known.toString('utf8')));
      return known;
    } catch (error) {
      throw error instanceof PoError ? refuse(error.line, error.message) : error;
    }
  };
  return {
    get words() {
      return read().words;
    },
    get clientWords() {
      return read().clientWords;
    },
    get dataWords() {
      return read().dataWords;
    },
    get importWords() {
      return read().importWords;
    },
  };
}

function noneIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}

function toWordbook(lang: string, entries: readonly PoEntry[]): Wordbook {
  const words = new Map<string, string>();
  const clientWords = new Map<string, string>();
  const dataWords = new Map<string, string>();
  const importWords = new Map<string, string>();
  const byContext = new Map([
    [null, words],
    ['client', clientWords],
    ['data', dataWords],
    ['import', importWords],
  ]);
  const categories = pluralCategories(lang);
  const seen = new Set<string>();
  for (const entry of entries) {
    const { context, id, line } = entry;
    if (id === '') checkHeader(lang, entry);
    const key = `${context ?? ''}\u0004${id}`;
    if (seen.has(key)) throw new PoError(line, `"${id}" is translated twice.`);
    seen.add(key);
    const meant = byContext.get(context);
    if (!meant) throw new PoError(line, `The context is "client", "data", "import" or none, not "${context}".`);
    // A fuzzy translation is unchecked and does not count.
    if (id === '' || entry.isFuzzy) continue;
    for (const [name, said] of formsOf(entry, categories)) meant.set(name, said);
  }
  return { words, clientWords, dataWords, importWords };
}

function formsOf({ id, plural, strings, line }: PoEntry, categories: readonly string[]): readonly [string, string][] {
  if (plural !== null && strings.length !== categories.length) {
    const forms = categories.map((category, index) => `msgstr[${index}] for ${category}`).join(', ');
    throw new PoError(line, `This language counts in ${categories.length} forms: ${forms}.`);
  }
  for (const said of strings) checkValues(id, plural, said, line);
  const keys = plural === null ? [id] : categories.map((category) => pluralKey(id, category));
  return keys.map((key, index): [string, string] => [key, strings[index] as string]).filter(([, said]) => said !== '');
}

/** A placeholder that the text does not have would stay in braces on the screen. */
function checkValues(id: string, plural: string | null, said: string, line: number): void {
  if (!said.includes('{')) return;
  const known = new Set([...valuesIn(id), ...valuesIn(plural ?? '')]);
  const unknown = valuesIn(said).find((name) => !known.has(name));
  if (unknown !== undefined) throw new PoError(line, `The text has no value {${unknown}}.`);
}

function valuesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function checkHeader(lang: string, { strings, line }: PoEntry): void {
  const named = /^Language:\s*(\S+)\s*$/m.exec(strings[0] ?? '')?.[1];
  if (named !== undefined && named !== lang) {
    throw new PoError(line, `The header says Language: ${named}, the file's name says ${lang}.`);
  }
}

const order: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** These numbers cover every plural form of a language. */
const samples = Array.from({ length: 201 }, (_, n) => n);

/** The plural forms of a language, in the order of a .po file: msgstr[0] is the first. */
export function pluralCategories(lang: string): readonly Intl.LDMLPluralRule[] {
  const rules = new Intl.PluralRules(languageTag(lang));
  const used = new Set(samples.map((n) => rules.select(n)));
  return order.filter((category) => used.has(category));
}

/** The key of one form of a message: `{n} record` and `one`. */
export function pluralKey(one: string, category: string): string {
  return `${one}\n${category}`;
}
