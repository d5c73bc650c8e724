import { join } from 'node:path';
import { sql } from '@kontor/database';
import { createEnv } from '@kontor/orm';
import { createTestDatabase } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { expect, onTestFinished } from 'vitest';
import type { AddonDefinition } from '../addons/define-addon.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import { installModules, upgradeModules } from '../addons/install-modules.ts';
import { loadAddonCode } from '../addons/load-addon-code.ts';
import { systemActor } from '../work/actor.ts';

const policy = { access: new Map(), rules: new Map() };
const addons = join(import.meta.dirname, '../../../addons');

long('MOD-2 the shipped base installs on an empty database, and an upgrade finds nothing to do', async () => {
  const { database, drop } = await createTestDatabase();
  onTestFinished(drop);
  const found = await discoverAddons([{ folder: addons, isShipped: true }]);
  const catalogue = new Map([...found].filter(([name]) => name === 'base'));
  const shippedLoader = async (name: string) =>
    ((await import(`../../../addons/${name}/addon.ts`)) as { default: AddonDefinition }).default;
  const options = { shippedLoader, cacheDir: '', addonDoor: '', addonUrl: async () => null };
  const run = (change: typeof installModules, names: readonly string[]) =>
    database.transaction((tx) =>
      change(
        {
          tx,
          catalogue,
          codeOf: (addon) => loadAddonCode(addon, options),
          envFor: (registry, db) => createEnv({ registry, db, actor: systemActor, policy, isSudo: true }),
        },
        names,
      ),
    );

  const { schema } = await run(installModules, []);
  expect(schema.refused).toEqual([]);
  const [countries] = await database.query(sql`select count(*)::int4 as n from core_country`);
  expect(countries).toEqual({ n: 249 });
  const again = await run(upgradeModules, ['base']);
  expect(again.reports).toMatchObject([{ created: 0, updated: 0, removed: [], kept: [] }]);
  expect(again.schema).toEqual({ done: [], refused: [] });
});
