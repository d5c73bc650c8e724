import { leftData, sql } from '@kontor/database';
import { defineModel, fields, type ModelSpec, now, tableSpecs } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import type { Migration } from '../addons/define-addon.ts';
import { type ModuleWorld, moduleWorld } from './module-world.ts';

const thing = (spec: ModelSpec['fields'], computes: ModelSpec['computes'] = {}) =>
  defineModel('shop.thing', { fields: spec, computes });
const name = fields.char({ required: true });

/** A module of version 1.0.0 with two records. */
async function versionOne(): Promise<ModuleWorld> {
  const world = await moduleWorld();
  world.write('shop', { manifest: { version: '1.0.0' } }, { models: [thing({ name, note: fields.text({}) })] });
  const env = world.env((await world.install(['shop'])).registry);
  await env.model('shop.thing').createMany([{ name: 'A', note: 'first' }, { name: 'B' }]);
  return world;
}

const rows = (world: ModuleWorld, columns: string) =>
  world.database.query(sql`select to_jsonb(t)::text as row from shop_thing t order by id`).then((found) =>
    found.map((each) => {
      const row = JSON.parse(String(each.row)) as Record<string, unknown>;
      return columns.split(',').map((column) => row[column]);
    }),
  );

describe('LAN-9 a new required field', () => {
  it('LAN-9 refuses the upgrade where records have no value for it, and changes nothing', async () => {
    const world = await versionOne();
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      {
        models: [thing({ name, colour: fields.char({ required: true }), weight: fields.integer({ required: true }) })],
      },
    );
    await expect(world.upgrade(['shop'])).rejects.toMatchObject({
      message:
        'shop: shop.thing.colour is required, and records that are there have no value for it. Give it a default or a compute, or fill it in a migration.',
      also: [{ problem: expect.stringContaining('shop.thing.weight is required') }],
    });
    expect(await rows(world, 'name,colour')).toEqual([
      ['A', undefined],
      ['B', undefined],
    ]);
  });

  long(
    'LAN-9 gets its default on the records that are there: a constant, a function, a source or a number',
    async () => {
      const world = await versionOne();
      const sequence =
        '<data><record id="seq" model="sys.sequence"><field name="name">N</field><field name="code">shop.n</field><field name="prefix">N</field></record></data>';
      world.write(
        'shop',
        { manifest: { version: '1.1.0' }, 'data/a.xml': sequence },
        {
          models: [
            thing({
              name,
              a: fields.char({ required: true, default: 'x' }),
              b: fields.char({ required: true, default: ({ lang }) => `in ${lang}` }),
              c: fields.datetime({ required: true, default: now }),
            }),
          ],
        },
      );
      await world.upgrade(['shop']);
      const found = await rows(world, 'a,b,c');
      expect(found).toEqual([
        ['x', 'in en_US', expect.any(String)],
        ['x', 'in en_US', expect.any(String)],
      ]);
      await expect(world.database.execute(sql`insert into shop_thing (name, b) values ('C', null)`)).rejects.toThrow(
        'null',
      );
    },
  );

  it('LAN-9 gets its values from an editable compute or from a migration', async () => {
    const world = await versionOne();
    const fill: Migration = async ({ env }) => {
      const things = (
        env as unknown as {
          model(name: string): {
            search(domain: unknown): Promise<number[]>;
            write(ids: number[], values: object): Promise<unknown>;
          };
        }
      ).model('shop.thing');
      await things.write(await things.search([]), { weight: 7 });
    };
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      {
        models: [
          thing(
            {
              name,
              weight: fields.integer({ required: true }),
              loud: fields.char({ required: true, computed: true, stored: true, editable: true }),
            },
            { loud: { depends: ['name'], value: (record) => `${record.name}!` } },
          ),
        ],
        migrations: { '1.1.0': fill },
      },
    );
    await world.upgrade(['shop']);
    expect(await rows(world, 'weight,loud')).toEqual([
      [7, 'A!'],
      [7, 'B!'],
    ]);
  });
});

describe('LAN-10 migrations in code', () => {
  long(
    'LAN-10 run once, in the order of versions, from the version that the data are of, with what is no longer declared',
    async () => {
      const world = await versionOne();
      const ran: string[] = [];
      const log = (version: string, run: Migration = async () => {}): Record<string, Migration> => ({
        [version]: async (call) => {
          ran.push(version);
          await run(call);
        },
      });
      const models = [thing({ name, words: fields.integer({ default: 0 }) })];
      const move: Migration = async ({ before, drop }) => {
        for (const { id, note } of await before('shop.thing', ['note', 'never_there'])) {
          await world.database.query(sql`select ${id}::int4`);
          ran.push(`${id}: ${note}`);
        }
        await expect(before('shop.thing', ['name'])).rejects.toThrow('shop.thing.name is a field');
        await drop('shop.thing', ['note']);
      };
      const migrations = { ...log('1.10.0', move), ...log('1.2.0'), ...log('0.9.0'), ...log('1.0.0') };
      world.write('shop', { manifest: { version: '1.10.0' } }, { models, migrations });
      const { reports } = await world.upgrade(['shop']);
      expect(ran).toEqual(['1.2.0', '1.10.0', '1: first', '2: null']);
      expect(reports[0]?.migrations).toEqual(['1.2.0', '1.10.0']);
      await world.upgrade(['shop']);
      expect(ran).toHaveLength(4);
      expect(await rows(world, 'note')).toEqual([[undefined], [undefined]]);
    },
  );

  it('LAN-10 do not run on a new install, and are known there when the next version comes', async () => {
    const world = await moduleWorld();
    let ran = 0;
    const migrations = { '1.0.0': async () => void ran++ };
    const models = [thing({ name })];
    world.write('shop', { manifest: { version: '1.0.0' } }, { models, migrations });
    await world.install(['shop']);
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      { models, migrations: { ...migrations, '1.1.0': async () => void ran++ } },
    );
    await world.upgrade(['shop']);
    expect(ran).toBe(1);
  });

  it('LAN-10 take everything back when one fails, and name its version', async () => {
    const world = await versionOne();
    const fails: Migration = async ({ drop }) => {
      await drop('shop.thing', ['note']);
      throw new Error('No luck.');
    };
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      { models: [thing({ name })], migrations: { '1.1.0': fails } },
    );
    await expect(world.upgrade(['shop'])).rejects.toThrow(
      'shop: The migration to 1.1.0 failed, and nothing was changed: No luck.',
    );
    expect(await rows(world, 'note')).toEqual([['first'], [null]]);
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      { models: [thing({ name })], migrations: { '1.2.0': fails } },
    );
    await expect(world.upgrade(['shop'])).rejects.toThrow(
      'The migration "1.2.0" is for a later version than that of the manifest, 1.1.0.',
    );
  });

  long('LAN-10 wait for the upgrade of their own module, also when another is upgraded meanwhile', async () => {
    const world = await versionOne();
    world.write('other', { manifest: { version: '1.0.0' } }, { models: [] });
    await world.install(['other']);
    let ran = 0;
    world.write(
      'shop',
      { manifest: { version: '1.1.0' } },
      { models: [thing({ name })], migrations: { '1.1.0': async () => void ran++ } },
    );
    await world.upgrade(['other']);
    expect(ran).toBe(0);
    await world.upgrade(['shop']);
    expect(ran).toBe(1);
  });
});

it('LAN-11 columns and tables with data that no model declares are kept and named', async () => {
  const world = await versionOne();
  world.write('shop', { manifest: { version: '1.1.0' } }, { models: [thing({ name })] });
  const { registry } = await world.upgrade(['shop']);
  expect(await leftData(world.database, tableSpecs(registry))).toEqual([
    { table: 'shop_thing', column: 'note', rows: 1 },
  ]);
  world.write('shop', {}, { models: [] });
  const without = await world.upgrade(['shop']);
  expect(await leftData(world.database, tableSpecs(without.registry))).toEqual([
    { table: 'shop_thing', column: null, rows: 2 },
  ]);
});
