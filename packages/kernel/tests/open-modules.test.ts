import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openModules } from '../open-modules.ts';
import { moduleWorld } from './module-world.ts';

it('FLT-4 a folder that disappears while it is read takes nothing from what was loaded', async () => {
  const world = await moduleWorld();
  const words = 'msgid ""\nmsgstr "Language: de_DE\\n"\n\nmsgid "A wooden box"\nmsgstr "Eine Holzkiste"\n';
  world.write('crates', { manifest: {}, 'i18n/de_DE.po': words }, { models: [] });
  await world.install(['crates']);
  const { catalogue, codeOf } = await world.database.transaction((tx) => world.context(tx));
  const folder = catalogue.get('crates')?.folder ?? '';
  let isLeaving = false;
  const modules = await openModules({
    database: world.database,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    parts: [],
    roots: [{ folder: dirname(folder), isShipped: false }],
    codeOf: async (addon) => {
      // After its folder was found, and before its words are read.
      if (isLeaving && addon.name === 'crates') renameSync(folder, join(dirname(folder), '.away'));
      isLeaving &&= addon.name !== 'crates';
      return codeOf(addon);
    },
    onChange: () => {},
  });
  const word = () => modules.loaded.translations.in('de_DE')('A wooden box');
  expect(word()).toBe('Eine Holzkiste');
  isLeaving = true;
  await modules.reload();
  expect([word(), modules.loaded.away.get('crates')]).toEqual(['Eine Holzkiste', 'goes on']);
});
