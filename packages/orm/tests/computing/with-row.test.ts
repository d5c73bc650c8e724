import { defineModel, fields } from '@kontor/orm';
import { countStatements, createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const stored = { computed: true, stored: true } as const;
const site = defineModel('row.site', { fields: { name: fields.char() } });
const job = defineModel('row.job', {
  fields: {
    name: fields.char(),
    hours: fields.integer(),
    rate: fields.integer(),
    parts: fields.integer(),
    site_id: fields.many2one('row.site'),
    total: fields.integer(stored),
    share: fields.integer(stored),
    place: fields.char(stored),
  },
  computes: {
    total: { depends: ['hours', 'rate'], value: ({ hours, rate }) => Number(hours) * Number(rate) },
    share: {
      depends: ['total', 'parts'],
      value({ total, parts }) {
        if (parts === 0) throw new Error('Divided by zero.');
        return Math.floor(Number(total) / Number(parts));
      },
    },
    place: {
      depends: ['name', 'site_id.name'],
      value: ({ name, site_id }) => `${name} at ${(site_id as { name?: string } | null)?.name ?? 'home'}`,
    },
  },
  constraints: {
    divisible: { on: ['parts'], holds: ({ parts }) => Number(parts) !== 0, message: 'Not in this many.' },
  },
  hooks: {
    on: ['name'],
    async afterWrite({ env, ids, values }) {
      if (values.name === 'back') await env.model('row.job').write(ids, { hours: 1 });
    },
  },
});

let world: TestWorld;
let id: number;
beforeAll(async () => {
  world = await createTestEnv([site, job]);
  id = await world.transact((env) =>
    env.model('row.job').create({ name: 'Dig', hours: 1, rate: 10, parts: 2, site_id: null }),
  );
});
afterAll(() => world.drop());

const write = (values: Readonly<Record<string, unknown>>) =>
  world.transact(async (env) => {
    await env.model('row.job').write([id], values);
    return env.work.changes.map((change) => change.values);
  });
const look = async () => {
  const [row] = await world.transact((env) => env.model('row.job').read([id], ['total', 'share', 'place']));
  return [row?.total, row?.share, row?.place];
};

it('CMP-2 what the columns of a record decide is written with them: one lock, one update, one change', async () => {
  await write({ hours: 2 });
  let changes: unknown;
  const cost = await countStatements(async () => {
    changes = await write({ hours: 3 });
  });
  expect(cost).toBe(2);
  const change = { hours: { old: 2, new: 3 }, total: { old: 20, new: 30 }, share: { old: 10, new: 15 } };
  expect(changes).toEqual([change]);
  expect(await look()).toEqual([30, 15, 'Dig at home']);
});

it('CMP-2 what lies behind a relation is read at the end', async () => {
  const pit = await world.transact((env) => env.model('row.site').create({ name: 'the pit' }));
  await write({ site_id: pit, hours: 4 });
  expect(await look()).toEqual([40, 20, 'Dig at the pit']);
  await write({ name: 'Drill' });
  expect(await look()).toEqual([40, 20, 'Drill at the pit']);
  await write({ name: 'Dig', site_id: null });
  expect(await look()).toEqual([40, 20, 'Dig at home']);
});

it('CMP-4 a compute that fails for a value that a constraint refuses is not what is reported', async () => {
  await expect(write({ parts: 0 })).rejects.toMatchObject({ details: { fields: { parts: ['Not in this many.'] } } });
});

it('CMP-2 what a hook writes back afterwards is followed, too', async () => {
  await write({ hours: 1 });
  await write({ hours: 5, name: 'back' });
  expect(await look()).toEqual([10, 5, 'back at home']);
});

it('CMP-2 each of several records gets its own', async () => {
  const found = await world.transact(async (env) => {
    const jobs = env.model('row.job');
    const ids = await jobs.createMany([1, 2, 3].map((hours) => ({ name: 'Lay', hours, rate: 1, parts: 1 })));
    await jobs.write(ids, { rate: 7 });
    return (await jobs.read(ids, ['total'])).map(({ total }) => total);
  });
  expect(found).toEqual([7, 14, 21]);
});
