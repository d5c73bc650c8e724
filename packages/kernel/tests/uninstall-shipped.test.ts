import { ident, type Queryable, sql } from '@kontor/database';
import { type Actor, noteCounters } from '@kontor/orm';
import { createTestKernel, isLong, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { describe, expect, it } from 'vitest';
import { addonOf, dependsOf } from '../addons/catalogue.ts';
import { installModules, upgradeModules } from '../addons/install-modules.ts';
import { uninstallModule } from '../addons/uninstall-module.ts';

const all = shippedApps();

/** What passes by itself, and the bookkeeping of what runs. */
const passing =
  /^(sys_(session|signal|outbox|change|change_set|log|login_attempt|cron_run|asked_query|audit\w*)|kontor_\w+)$/;
/** Rows that are made again by every change of modules: their names tell whether they are the same. */
const remade = new Set(['sys_model', 'sys_field', 'sys_model_data', 'sys_migration']);
const unsteady = new Set(['write_date', 'applied_at', 'locked_until', 'locked_by']);

type Shot = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, unknown>>>>;

/** Every row of every table, by a key that a reinstall must not change: the id, or what the row says. */
async function shotOf(db: Queryable): Promise<Shot> {
  const tables = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
  const shot = new Map<string, Map<string, Record<string, unknown>>>();
  for (const { name } of tables.filter((table) => !passing.test(table.name))) {
    const rows = await db.query<{ row: string }>(sql`select to_jsonb(t)::text as row from ${ident(name)} as t`);
    const byKey = new Map<string, Record<string, unknown>>();
    for (const { row } of rows) {
      const values = Object.fromEntries(
        Object.entries(JSON.parse(row) as Record<string, unknown>).filter(
          ([column]) => !unsteady.has(column) && !(remade.has(name) && /^(id|model_id|create_date)$/.test(column)),
        ),
      );
      byKey.set(values.id === undefined ? JSON.stringify(values) : String(values.id), values);
    }
    shot.set(name, byKey);
  }
  return shot;
}

/** Rows that differ between two shots, as `table id`, with both contents. */
function differences(before: Shot, after: Shot): readonly string[] {
  const found: string[] = [];
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(table), after.get(table)];
    for (const key of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      const [was, is] = [JSON.stringify(old?.get(key)), JSON.stringify(now?.get(key))];
      if (was !== is) found.push(`${table} ${key}: ${was} → ${is}`);
    }
  }
  return found;
}

/** Records of people, and of modules that stay, that are not there any more. */
async function lost(
  db: Queryable,
  before: Shot,
  after: Shot,
  leaving: ReadonlySet<string>,
): Promise<readonly string[]> {
  const names = new Map<string, Set<string>>();
  for (const row of before.get('sys_model_data')?.values() ?? []) {
    const key = `${String(row.model).replaceAll('.', '_')} ${row.res_id}`;
    names.set(key, (names.get(key) ?? new Set()).add(String(row.module)));
  }
  const tables = await db.query<{ name: string }>(sql`select table_name as name from sys_model`);
  const gone: string[] = [];
  for (const { name: table } of tables.filter(({ name }) => !remade.has(name))) {
    for (const [key, row] of before.get(table) ?? []) {
      if (after.get(table)?.has(key)) continue;
      const modules = names.get(`${table} ${key}`) ?? new Set();
      const isOfLeaving = modules.size > 0 && [...modules].every((module) => leaving.has(module));
      const isOfPeople = row.create_uid !== null && row.create_uid !== undefined;
      if (isOfLeaving || (modules.size === 0 && !isOfPeople)) continue;
      gone.push(`${table} ${key}: ${JSON.stringify(row)}`);
    }
  }
  return gone;
}

/** What an administrator may have set up around the groups, jobs and boards that a module brought. */
async function settleIn({ work }: TestKernel, module: string): Promise<void> {
  await work(async (env) => {
    const named = async (model: string) => {
      const rows = await env
        .sudo()
        .model('sys.model.data')
        .searchRead(
          [
            ['module', '=', module],
            ['model', '=', model],
            ['res_id', '!=', 0],
          ],
          ['res_id'],
        );
      return rows.map((row) => row.res_id as number);
    };
    const groups = await named('core.group');
    for (const id of groups) {
      const name = `House rule ${id}`;
      await env.model('sys.rule').create({
        ...{ name, model: 'core.country', domain: [['code', '=', 'DE']], group_ids: [['set', [id]]] },
      });
      await env.model('sys.access').create({ name, model: 'core.lang', group_id: id, perm_read: true });
      await env.model('core.group').create({ name, key: `house.group_${id}`, implied_ids: [['set', [id]]] });
    }
    for (const id of await named('sys.cron')) await env.model('sys.cron').write([id], { interval_number: 7 });
    for (const id of await named('sys.board')) await env.model('sys.board').write([id], { name: 'Our own board' });
    const sequences = await named('sys.sequence');
    for (const id of sequences) await env.model('sys.sequence').write([id], { padding: 9 });
    // The row says where the numbering stands, as after a stop.
    await noteCounters(env, sequences);
  });
}

/** The module and all that stand on it, those on top first; those that do not need each other in either order. */
function withDependents({ kernel }: TestKernel, module: string, isReversed: boolean): readonly string[] {
  const { catalogue } = kernel;
  const needs = (name: string) => dependsOf(addonOf(catalogue, name), catalogue);
  const reaches = (name: string): boolean => name === module || needs(name).some(reaches);
  const left = new Set((isReversed ? [...all].reverse() : all).filter(reaches));
  const order: string[] = [];
  while (left.size > 0) {
    for (const name of left) if (![...left].some((other) => needs(other).includes(name))) order.push(name);
    for (const name of order) left.delete(name);
  }
  return order;
}

async function inAndOut(world: TestKernel, module: string, isReversed: boolean): Promise<void> {
  const { kernel } = world;
  const order = withDependents(world, module, isReversed);
  for (const name of order) await settleIn(world, name);
  const clerk = await world.person('Clerk');
  const seenBefore = await visible(world, clerk);
  const before = await shotOf(kernel.database);
  for (const name of order) {
    await kernel.changeModules((context) => uninstallModule(context, name));
    const away = await shotOf(kernel.database);
    const leaving = new Set(order.slice(0, order.indexOf(name) + 1));
    expect(await lost(kernel.database, before, away, leaving), `lost with ${name}`).toEqual([]);
    expect(await visible(world, clerk), `seen without ${name}`).toEqual(seenBefore);
  }
  const back = isReversed ? [module, ...order] : [...order].reverse();
  for (const name of back) {
    const states = new Set(kernel.loaded.definitions.keys());
    if (!states.has(name)) await kernel.changeModules((context) => installModules(context, [name]));
  }
  expect(differences(before, await shotOf(kernel.database)), `${order.join(', ')} came back`).toEqual([]);
}

/** A rule whose group is away must not become one for everyone. */
async function visible({ kernel }: TestKernel, person: Actor): Promise<number> {
  const { result } = await kernel.transact(person, (env) => env.model('core.country').count());
  return result;
}

const contents = isLong ? [{ demo: false }, { demo: true }] : [{ demo: true }];

describe.each(contents)('with demonstration data: $demo', ({ demo }) => {
  const cases = isLong ? all : ['crm', 'accounting'];
  for (const isReversed of isLong ? [false, true] : [false]) {
    it.each(cases)(
      `MOD-19 %s, uninstalled with its dependents and installed again, leaves every table as it was${isReversed ? ', in the other order' : ''}`,
      async (module) => {
        const world = await createTestKernel({ modules: all, demo });
        await inAndOut(world, module, isReversed);
        await world.close();
      },
    );
  }
});

long('shipped modules are upgraded without a change', async () => {
  const world = await createTestKernel({ modules: all, demo: true });
  const { reports } = await world.kernel.changeModules((context) => upgradeModules(context, all));
  expect(reports.map(({ module }) => module).sort()).toEqual(all);
  expect(reports.filter(({ created, updated, removed }) => created + updated + removed.length > 0)).toEqual([]);
  await world.close();
});

describe('rights that an administrator made for a group of a module', () => {
  it('MOD-20 are off while the module is away and say so, and are in force again with it', async () => {
    const world = await createTestKernel({ modules: ['crm'] });
    const seller = await world.person('Seller', ['base.group_user', 'crm.group_user']);
    const clerk = await world.person('Clerk');
    const [rule, access, missing] = await world.work(async (env) => {
      const group = await env.ref('crm.group_user');
      const on = { model: 'core.country', group_ids: [['set', [group]]] };
      return [
        await env.model('sys.rule').create({ ...on, name: 'One country', domain: [['code', '=', 'DE']] }),
        await env
          .model('sys.access')
          .create({ name: 'Languages', model: 'core.lang', group_id: group, perm_write: true }),
        await env.model('sys.rule').create({
          ...{ name: 'Without leads', model: 'core.partner', domain: [['lead_ids', '=', null]] },
        }),
      ];
    });
    const count = async (uid: number) => {
      const actor = (await world.kernel.actor(uid)) as Actor;
      return (await world.kernel.transact(actor, (env) => env.model('core.country').count())).result;
    };
    const states = async () => {
      const rules = await world.work((env) => env.model('sys.rule').read([rule, missing], ['state', 'group_ids']));
      const rows = await world.work((env) => env.model('sys.access').read([access], ['state']));
      return [...rules, ...rows].map((row) => row.state);
    };
    const all = await count(clerk.uid);
    expect(await count(seller.uid)).toBe(1);
    expect(await states()).toEqual(['on', 'on', 'on']);

    await world.kernel.changeModules((context) => uninstallModule(context, 'crm'));
    expect([await count(clerk.uid), await count(seller.uid)]).toEqual([all, all]);
    await world.work((env) => env.model('core.partner').count(), clerk);
    expect(await states()).toEqual(['group_away', 'model_away', 'group_away']);

    await world.kernel.changeModules((context) => installModules(context, ['crm']));
    expect([await count(clerk.uid), await count(seller.uid)]).toEqual([all, 1]);
    expect(await states()).toEqual(['on', 'on', 'on']);
    await world.close();
  });

  it('MOD-21 the last group of a rule cannot be deleted, since the rule would apply to everyone', async () => {
    const world = await createTestKernel();
    const [group, rule] = await world.work(async (env) => {
      const id = await env.model('core.group').create({ name: 'Readers', key: 'house.readers' });
      const values = { name: 'None', model: 'core.partner', domain: [['id', '=', 0]], group_ids: [['set', [id]]] };
      return [id, await env.model('sys.rule').create(values)];
    });
    const remove = world.work((env) => env.model('core.group').unlink([group]));
    await expect(remove).rejects.toThrow('The record rule "None" applies to this group only');
    await world.work(async (env) => {
      await env.model('sys.rule').unlink([rule]);
      await env.model('core.group').unlink([group]);
    });
    await world.close();
  });
});
