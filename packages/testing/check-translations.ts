import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { addonTexts, type PoEntry, parsePo } from '@kontor/kernel';
import { describe, expect, it } from 'vitest';
import { addonInFolder } from './open-kernel.ts';

/** Additional sources of translated texts. */
export interface TranslationOptions {
  /** Additional texts that the translations are for. */
  readonly also?: readonly string[];
}

/**
 * Compares the translations of an addon with its texts: none missing, none unused, and no message that is concatenated and so
 * cannot be translated.
 *
 * @example
 * checkTranslations(import.meta.url, ['de_DE', 'fr_FR']);
 */
export function checkTranslations(
  testFile: string,
  languages: readonly string[],
  { also = [] }: TranslationOptions = {},
): void {
  const folder = resolve(dirname(new URL(testFile).pathname), '..');

  describe.each(languages)('translation %s', (language) => {
    it('has every text of the addon and no other', async () => {
      const { texts, clientTexts, clientPlurals, synonyms, templates } = addonTexts(
        folder,
        await addonInFolder(folder),
      );
      const entries = parsePo(readFileSync(resolve(folder, 'i18n', `${language}.po`), 'utf8'));
      expect(templates).toEqual([]);
      expect(compareWords(entries, new Set([...texts, ...also]), null)).toEqual({ missing: [], stale: [] });
      const single = entries.filter(({ plural }) => plural === null);
      expect(compareWords(single, clientTexts, 'client')).toEqual({ missing: [], stale: [] });
      const counted = entries.filter(({ plural }) => plural !== null);
      expect(compareWords(counted, new Set(clientPlurals.keys()), 'client')).toEqual({ missing: [], stale: [] });
      // Not every word has an equivalent in another language.
      expect(compareWords(entries, synonyms, 'import').stale).toEqual([]);
    });
  });
}

/** Texts without a translation, and translations without a text. */
export function compareWords(
  entries: readonly PoEntry[],
  texts: ReadonlySet<string>,
  context: PoEntry['context'],
): { readonly missing: readonly string[]; readonly stale: readonly string[] } {
  const own = entries.filter((entry) => entry.context === context && entry.id !== '');
  const said = new Set(own.filter(isSaid).map(({ id }) => id));
  return {
    missing: [...texts].filter((text) => !said.has(text)).sort(),
    stale: own
      .filter(({ id }) => !texts.has(id))
      .map(({ id }) => id)
      .sort(),
  };
}

function isSaid({ strings, isFuzzy }: PoEntry): boolean {
  return !isFuzzy && strings.every((text) => text !== '');
}
