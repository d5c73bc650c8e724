import type { Transaction } from '@kontor/database';
import { type Decimal, defineModel, type Env, fields } from '@kontor/orm';
import { countStatements, createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const stored = { computed: true, stored: true } as const;
const site = defineModel('known.site', { fields: { name: fields.char() } });
const job = defineModel('known.job', {
  fields: {
    name: fields.char(),
    amount: fields.decimal({ precision: [10, 2] }),
    at: fields.datetime(),
    is_open: fields.boolean(),
    parts: fields.integer(),
    site_id: fields.many2one('known.site', { ondelete: 'set null' }),
    double: fields.decimal({ ...stored, precision: [10, 2] }),
    text: fields.char(stored),
  },
  computes: {
    double: { depends: ['amount'], value: ({ amount }) => (amount as Decimal).times(2) },
    text: {
      depends: ['double', 'at', 'is_open', 'site_id'],
      value: ({ double, at, is_open, site_id }) =>
        JSON.stringify([double, at, is_open, (site_id as { id: number } | null)?.id ?? null]),
    },
  },
  constraints: {
    few: { on: ['parts'], reads: ['double'], holds: ({ parts }) => Number(parts) < 100, message: 'Too many.' },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      const jobs = env.model('known.job');
      const [row] = await jobs.load([...ids], ['name', 'site_id']);
      if (row?.name === 'changed') await jobs.write([...ids], { amount: '7.13', is_open: true });
      if (row?.name === 'too many') await jobs.write([...ids], { parts: 100 });
      if (row?.name === 'homeless') await env.model('known.site').unlink([(row.site_id as { id: number }).id]);
      if (row?.name === 'taken back') await takeBack(env, () => jobs.write([...ids], { amount: '9', parts: 100 }));
    },
  },
});

async function takeBack(env: Env, work: () => Promise<unknown>): Promise<void> {
  const part = (env.db as Transaction).savepoint(async () => {
    await work();
    await env.model('known.site').create({ name: 5 });
  });
  await expect(part).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
}

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([site, job]);
});
afterAll(() => world.drop());

const make = (values: Readonly<Record<string, unknown>>) =>
  world.transact((env) => env.model('known.job').create(values));
const look = async (id: number) => {
  const [row] = await world.transact((env) => env.model('known.job').load([id], ['double', 'text']));
  return [String(row?.double), JSON.parse(String(row?.text))];
};

it('PRF-30 a new record is not read for its computes and constraints', async () => {
  const values = { name: 'Dig', amount: '2.01', at: '2026-01-02T03:04:05.678Z', parts: 3 };
  await make(values);
  let id = 0;
  const cost = await countStatements(async () => {
    id = await make(values);
  });
  expect(cost).toBe(3); // the insert, the read of its hook, and the update
  expect(await look(id)).toEqual(['4.02', ['4.02', '2026-01-02T03:04:05.678Z', false, null]]);
});

it('PRF-30 what the same operation writes later counts', async () => {
  const id = await make({ name: 'changed', amount: '1' });
  expect(await look(id)).toEqual(['14.26', ['14.26', null, true, null]]);
  await expect(make({ name: 'too many', amount: '1', parts: 1 })).rejects.toMatchObject({
    details: { fields: { parts: ['Too many.'] } },
  });
});

it('PRF-30 what it deleted or took back does not', async () => {
  const home = await world.transact((env) => env.model('known.site').create({ name: 'Home' }));
  expect(await look(await make({ name: 'homeless', amount: '1', site_id: home }))).toEqual([
    '2',
    ['2', null, false, null],
  ]);
  expect(await look(await make({ name: 'taken back', amount: '1', parts: 1 }))).toEqual([
    '2',
    ['2', null, false, null],
  ]);
});
