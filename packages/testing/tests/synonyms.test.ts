import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePo } from '@kontor/kernel';
import { long } from '@kontor/testing/long';
import { expect } from 'vitest';
import { addonInFolder } from '../open-kernel.ts';
import { kontorRoot } from '../place.ts';

const addons = join(kontorRoot, 'addons');

/** The synonyms that the wordbook of an addon translates. */
function translated(addon: string, language: string): readonly string[] {
  return parsePo(readFileSync(join(addons, addon, 'i18n', `${language}.po`), 'utf8'))
    .filter(({ context, strings, isFuzzy }) => context === 'import' && !isFuzzy && strings[0] !== '')
    .map(({ id }) => id);
}

/** The addon, and all that are installed wherever it is. */
function withDependencies(addon: string): readonly string[] {
  const { depends } = JSON.parse(readFileSync(join(addons, addon, 'manifest.json'), 'utf8'));
  return [addon, ...(depends as readonly string[]).flatMap(withDependencies)];
}

long('LAN-17 every field with synonyms has some in each language', async () => {
  const names = readdirSync(addons, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? each.name : []));
  const missing: string[] = [];
  let synonymous = 0;
  for (const addon of names) {
    const { models } = await addonInFolder(join(addons, addon));
    const books = [...new Set(withDependencies(addon))];
    for (const language of ['de_DE', 'fr_FR', 'ar']) {
      const said = new Set(books.flatMap((each) => translated(each, language)));
      for (const { name: model, fields } of models) {
        for (const [field, { synonyms = [] }] of Object.entries(fields)) {
          if (synonyms.length === 0) continue;
          synonymous++;
          if (!synonyms.some((word) => said.has(word)))
            missing.push(`addons/${addon}/i18n/${language}.po: ${model}.${field} (${synonyms.join(', ')})`);
        }
      }
    }
  }
  expect(missing).toEqual([]);
  expect(synonymous).toBeGreaterThan(100);
});
