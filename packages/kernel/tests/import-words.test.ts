import { describe, expect, it } from 'vitest';
import type { Wordbook } from '../translations/read-wordbooks.ts';
import { createTranslations } from '../translations/translations.ts';

const book = (importWords: Readonly<Record<string, string>>): Wordbook => ({
  ...{ words: new Map(), clientWords: new Map(), dataWords: new Map() },
  importWords: new Map(Object.entries(importWords)),
});

describe('LAN-17 synonyms of other languages', () => {
  it('LAN-17 are found in the wordbooks of all languages, those of the module first', () => {
    const translations = createTranslations(
      new Map([
        [
          'base',
          new Map([
            ['de_DE', book({ Price: 'Preis', Phone: 'Telefon, Rufnummer' })],
            ['fr_FR', book({ Price: 'Prix' })],
          ]),
        ],
        ['sale', new Map([['de_DE', book({ Price: 'Einzelpreis , Stückpreis' })]])],
      ]),
    );
    expect(translations.importWords('Price', 'sale')).toEqual(['Einzelpreis', 'Stückpreis', 'Prix']);
    expect(translations.importWords('Price', 'base')).toEqual(['Preis', 'Prix']);
    expect(translations.importWords('Phone', 'sale')).toEqual(['Telefon', 'Rufnummer']);
    expect(translations.importWords('Nothing', 'sale')).toEqual([]);
  });
});
