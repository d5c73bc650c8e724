import { setImmediate } from 'node:timers/promises';
import { type Env, englishKey } from '@kontor/orm';
import { fillText, inEnglish, lruCache, type Translate, type Words } from '@kontor/protocol';
import { languageChain } from './language-chain.ts';
import type { Wordbook, Wordbooks } from './read-wordbooks.ts';

/** The translations of some modules in all their languages. Immutable; a change of modules creates a new one. */
export interface Translations {
  /**
   * Translates into a language. A text of a module is looked up in the module's own translations, then in those of all
   * modules, in dependency order; first in the language itself, then in its fallbacks, and finally it stays English.
   */
  in(lang: string): Translate;
  /** Languages with the same translations have the same key; empty: English. */
  keyOf(lang: string): string;
  /** Reads the words of all languages, with others served in between. Otherwise each is read at a stretch when it is first needed. */
  prepare(): Promise<void>;
  /** All translations by English text, for a client that looks them up itself. */
  words(lang: string): Readonly<Record<string, string>>;
  /** Translations of the modules' browser code. */
  clientWords(lang: string): Readonly<Record<string, string>>;
  /** The translation of a text in a module's data files; undefined: unchanged. */
  dataWord(lang: string, module: string, text: string): string | undefined;
  /** The translations of a text in a module's data files by language, with the English text under `en`. */
  dataWords(module: string, text: string): Readonly<Record<string, string>>;
  /** The keys of `dataWords` that a reader wants, the preferred one first. */
  dataLanguages(lang: string): readonly string[];
  /** Names of a field in files of any language, from the synonyms of modules, except English ones. */
  importWords(synonym: string, module: string): readonly string[];
}

/** Modules in dependency order, each with its translations. */
export function createTranslations(modules: ReadonlyMap<string, Wordbooks>): Translations {
  const known = new Map<string, Translate>();
  const chains = lruCache<string, readonly string[]>(200);
  const chainOf = (lang: string): readonly string[] => {
    let chain = chains.get(lang);
    if (!chain) {
      chain = languageChain(lang).filter((each) => [...modules.values()].some((books) => books.has(each)));
      chains.set(lang, chain);
    }
    return chain;
  };

  /** The first module comes last, so that it wins. */
  const booksIn = (lang: string): readonly Wordbook[] =>
    chainOf(lang)
      .toReversed()
      .flatMap((each) => [...modules.values()].reverse().flatMap((books) => books.get(each) ?? []));

  function translate(lang: string): Translate {
    const chain = chainOf(lang);
    const key = chain.join();
    const made = known.get(key) ?? (chain.length === 0 ? inEnglish : makeTranslate(modules, chain));
    known.set(key, made);
    return made;
  }

  return {
    in: translate,
    keyOf: (lang) => chainOf(lang).join(),
    prepare: () => readInTurns([...modules.values()].flatMap((books) => [...books.values()])),
    words: (lang) => Object.fromEntries(booksIn(lang).flatMap(({ words }) => [...words])),
    clientWords: (lang) => Object.fromEntries(booksIn(lang).flatMap(({ clientWords }) => [...clientWords])),
    dataWord(lang, module, text) {
      const books = chainOf(lang).map((each) => modules.get(module)?.get(each)?.dataWords);
      return books.find((words) => words?.has(text))?.get(text);
    },
    dataWords(module, text) {
      const books = [...(modules.get(module) ?? [])].flatMap(([lang, { dataWords }]) => {
        const word = dataWords.get(text);
        return word === undefined ? [] : [[lang, word]];
      });
      return { [englishKey]: text, ...Object.fromEntries(books) };
    },
    dataLanguages(lang) {
      const chain = chainOf(lang);
      return chain.length === 0 ? [englishKey] : chain;
    },
    importWords(synonym, module) {
      const languages = new Set([...modules.values()].flatMap((books) => [...books.keys()]));
      return [...languages].flatMap((lang) => {
        const books = [modules.get(module), ...modules.values()].flatMap((each) => each?.get(lang) ?? []);
        const said = books.find(({ importWords }) => importWords.has(synonym))?.importWords.get(synonym);
        return said?.split(',').map((word) => word.trim()) ?? [];
      });
    },
  };
}

async function readInTurns(books: readonly Wordbook[]): Promise<void> {
  for (const book of books) {
    void book.words;
    await setImmediate();
  }
}

function makeTranslate(modules: ReadonlyMap<string, Wordbooks>, chain: readonly string[]): Translate {
  const steps = chain.map((lang) => ({
    own: new Map([...modules].map(([module, books]) => [module, books.get(lang)?.words])),
    all: merged([...modules.values()].flatMap((books) => books.get(lang) ?? [])),
  }));
  const find = (english: string, module: string | undefined): string => {
    for (const { own, all } of steps) {
      const said = (module === undefined ? undefined : own.get(module)?.get(english)) ?? all.get(english);
      if (said !== undefined) return said;
    }
    return english;
  };
  const translate: Translate = (words, module) =>
    typeof words === 'string'
      ? find(words, module)
      : fillText(find(words.english, module), words.params, (inner) => translate(inner, module));
  return translate;
}

/** Those of the first module: base, then its dependents. */
function merged(books: readonly Wordbook[]): ReadonlyMap<string, string> {
  return new Map([...books].reverse().flatMap(({ words }) => [...words]));
}

export const noTranslations = createTranslations(new Map());

/** Translations for a user. */
export interface PersonWords {
  readonly lang: string;
  say(words: Words): string;
}

/**
 * Translations into a language, such as a customer's. `module` is the addon that contains the texts.
 * ```ts
 * export function greeting(env: Env, lang: string) {
 *   return wordsIn(env, lang, 'library').say('Welcome');
 * }
 * ```
 */
export function wordsIn({ registry }: Pick<Env, 'registry'>, lang: string, module?: string): PersonWords {
  const translate = registry.wordsIn(lang);
  return { lang, say: (words) => translate(words, module) };
}
