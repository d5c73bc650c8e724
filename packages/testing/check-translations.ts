import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addonTexts, clientText } from './addon-texts.ts';

const entry = /(msgctxt "client"\n)?msgid ((?:"(?:[^"\\\n]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\\n]|\\.)*"\s*)+)/g;

/**
 * Holds the translations of an addon against its texts: none missing, none that nobody shows any more.
 *
 * @example
 * checkTranslations(import.meta.url, ['de_DE', 'fr_FR']);
 */
export function checkTranslations(testFile: string, languages: readonly string[]): void {
  const folder = resolve(dirname(new URL(testFile).pathname), '..');

  describe.each(languages)('translation %s', (language) => {
    it('has every text of the addon and no other', async () => {
      const given = readTranslations(readFileSync(resolve(folder, 'i18n', `${language}.po`), 'utf8'));
      const texts = await addonTexts(folder);
      expect([...texts].filter((text) => !given.get(text))).toEqual([]);
      expect([...given.keys()].filter((text) => text !== '' && !texts.has(text))).toEqual([]);
      expect(given.get('')).toContain(`Language: ${language}\n`);
    });
  });
}

function readTranslations(po: string): ReadonlyMap<string, string> {
  return new Map(
    [...po.matchAll(entry)].map(([, isClients, text = '', translated = '']) => [
      isClients ? clientText(joined(text)) : joined(text),
      joined(translated),
    ]),
  );
}

/** A text may go over several quoted lines. */
function joined(quoted: string): string {
  return [...quoted.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([whole]) => JSON.parse(whole) as string).join('');
}
