import { defineModel, fields, inheritModel, type ModelDefinition } from '@kontor/orm';
import { describe, expect, it } from 'vitest';
import type { Addon } from '../addons/catalogue.ts';
import { type AddonSpec, defineAddon } from '../addons/define-addon.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import { checkUpgrade } from '../check/check-upgrade.ts';
import { createFindings } from '../check/findings.ts';
import { addonFolder } from './addon-fixtures.ts';

const shop = (models: readonly ModelDefinition[], more: AddonSpec = {}) => defineAddon({ models, ...more });
const thing = (spec: Parameters<typeof defineModel>[1]['fields']) => defineModel('shop.thing', { fields: spec });

async function addon(version: string, files: Readonly<Record<string, string>> = {}): Promise<Addon> {
  const folder = addonFolder({ shop: { manifest: { version }, 'addon.ts': '', ...files } });
  return (await discoverAddons([{ folder, isShipped: false }])).get('shop') as Addon;
}

async function findings(before: AddonSpec, now: AddonSpec, files: Readonly<Record<string, string>> = {}) {
  const found = createFindings();
  const earlier = { addon: await addon('1.0.0'), definition: shop(before.models ?? [], before) };
  const later = { addon: await addon('1.1.0', files), definition: shop(now.models ?? [], now) };
  await checkUpgrade(earlier, later, found);
  return found.all.map(({ severity, message, fix }) => `${severity}: ${message} ${fix}`);
}

const name = fields.char({ required: true });

describe('LAN-12 kontor check --from', () => {
  it('LAN-12 finds new required fields that records of the version before have no value for', async () => {
    const before = { models: [thing({ name })] };
    const more = {
      plain: fields.char({ required: true }),
      given: fields.char({ required: true, default: 'x' }),
      renamed: fields.char({ required: true, was: 'name' }),
      flag: fields.boolean({ required: true }),
    };
    const told = 'Give it a default or a compute, or fill it in a migration.';
    expect(await findings(before, { models: [thing(more)] })).toEqual([
      `error: shop.thing.plain is new and required: records of version 1.0.0 have no value for it. ${told}`,
    ]);
    const partner = inheritModel('core.partner', { fields: { rank: fields.integer({ required: true }) } });
    expect(await findings(before, { models: [thing({ name }), partner] })).toEqual([
      `error: core.partner.rank is new and required: records of version 1.0.0 have no value for it. ${told}`,
    ]);
    expect(await findings({ models: [] }, { models: [thing(more)] })).toEqual([]);
  });

  it('LAN-12 warns of fields that are gone without a word, and is silent where a migration is new', async () => {
    const before = { models: [thing({ name, note: fields.text({}) })] };
    const now = { models: [thing({ name })] };
    expect(await findings(before, now)).toEqual([
      "warning: shop.thing.note of version 1.0.0 is gone: its data are kept, and nothing reads them. If it was renamed, say was: 'note' at the new field. To drop the data, do so in a migration.",
    ]);
    expect(await findings(before, { ...now, migrations: { '1.1.0': async () => {} } })).toEqual([]);
    expect(await findings(before, now, { 'migrations/0001-note.sql': 'select 1;' })).toEqual([]);
  });
});
