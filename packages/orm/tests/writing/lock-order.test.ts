import { type Sql, sql, type Transaction } from '@kontor/database';
import { defineModel, type Env, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const guest = defineModel('fair.guest', {
  fields: { name: fields.char(), talk_ids: fields.many2many('fair.talk'), tag_ids: fields.many2many('fair.tag') },
});
const talk = defineModel('fair.talk', {
  fields: { name: fields.char(), guest_ids: fields.many2many('fair.guest', { inverse: 'talk_ids' }) },
});
const tag = defineModel('fair.tag', {
  fields: {
    guest_ids: fields.many2many('fair.guest', { inverse: 'tag_ids' }),
    guest_count: fields.integer({ computed: true, stored: true }),
  },
  computes: { guest_count: { count: 'guest_ids', asServer: 'All of them.' } },
});
const order = defineModel('fair.order', {
  fields: {
    line_ids: fields.one2many('fair.line', 'order_id'),
    total: fields.decimal({ computed: true, stored: true }),
  },
  computes: { total: { sum: 'line_ids.price' } },
});
const line = defineModel('fair.line', {
  fields: {
    order_id: fields.many2one('fair.order', { required: true, ondelete: 'cascade' }),
    price: fields.decimal({ default: 0 }),
  },
});

let fair: TestWorld;
beforeAll(async () => {
  fair = await createTestEnv([guest, talk, tag, order, line]);
});
afterAll(() => fair.drop());

/** A transaction that is not tried again: a deadlock is an error. */
const once = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  fair.database.transaction((tx) => work(fair.as({}, tx).sudo()), { retries: 0 });

async function untilWaiting(count: number): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await fair.database.query(waiting)).length < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Runs the writers one after the other up to where each waits, while somebody else holds what `hold` takes, then lets go. */
async function meeting(
  hold: (tx: Transaction) => Promise<unknown>,
  writers: readonly ((env: Env) => Promise<unknown>)[],
) {
  const running: Promise<unknown>[] = [];
  await fair.database
    .transaction(async (tx) => {
      await hold(tx);
      for (const [index, writer] of writers.entries()) {
        const work = once(writer);
        work.catch(() => {});
        running.push(work);
        await untilWaiting(index + 1);
      }
      throw new Error('let go');
    })
    .catch((error: Error) => expect(error.message).toBe('let go'));
  return Promise.all(running);
}

async function three(model: string): Promise<[number, number, number]> {
  return (await once((env) => env.model(model).createMany([{}, {}, {}]))) as [number, number, number];
}
const execute = (statement: Sql) => (tx: Transaction) => tx.execute(statement);
const links = async (table: Sql) => (await fair.database.query(sql`select from ${table}`)).length;

it('FLT-1 links that are made from both sides at once are made in one order', async () => {
  const [g1, g2, g3] = await three('fair.guest');
  const [t1, t2, t3] = await three('fair.talk');
  // By guest the middle one comes second, by talk too; the outer ones change places.
  const to = (id: number, name: string, other: number) => ({ id, values: { [name]: [['link', other]] } });
  await meeting(execute(sql`insert into fair_guest_talk_ids_rel values (${g2}::int4, ${t2}::int4)`), [
    (env) =>
      env.model('fair.guest').writeEach([to(g1, 'talk_ids', t3), to(g2, 'talk_ids', t2), to(g3, 'talk_ids', t1)]),
    (env) =>
      env.model('fair.talk').writeEach([to(t1, 'guest_ids', g3), to(t2, 'guest_ids', g2), to(t3, 'guest_ids', g1)]),
  ]);
  expect(await links(sql`fair_guest_talk_ids_rel`)).toBe(3);
});

it('FLT-1 links that are removed from both sides at once go in one order', async () => {
  const [g1, g2, g3] = await three('fair.guest');
  const [t1, t2, t3] = await three('fair.talk');
  const set = (id: number, to: readonly number[]) => ({ id, values: { talk_ids: [['set', to]] } });
  await once((env) => env.model('fair.guest').writeEach([set(g1, [t3]), set(g2, [t2]), set(g3, [t1])]));
  const before = await links(sql`fair_guest_talk_ids_rel`);
  await meeting(execute(sql`select from fair_guest_talk_ids_rel where fair_guest_id = ${g2}::int4 for update`), [
    (env) => env.model('fair.guest').write([g1, g2, g3], { talk_ids: [['clear']] }),
    (env) => env.model('fair.talk').write([t1, t2, t3], { guest_ids: [['clear']] }),
  ]);
  expect(await links(sql`fair_guest_talk_ids_rel`)).toBe(before - 3);
});

it('FLT-1 records that are computed from links are locked before the links', async () => {
  const [g1] = await three('fair.guest');
  const [t1] = await three('fair.tag');
  await meeting(execute(sql`select from fair_tag where id = ${t1}::int4 for no key update`), [
    (env) => env.model('fair.tag').write([t1], { guest_ids: [['link', g1]] }),
    (env) => env.model('fair.guest').write([g1], { tag_ids: [['link', t1]] }),
  ]);
  expect(await fair.env.model('fair.tag').read([t1], ['guest_count'])).toMatchObject([{ guest_count: 1 }]);
});

it.each([
  ['written', (env: Env, id: number) => env.model('fair.line').write([id], { price: 5 }), '6'],
  ['removed', (env: Env, id: number) => env.model('fair.line').unlink([id]), '1'],
])('FLT-1 a line that is %s waits for its order before it is locked', async (_, work, total) => {
  const lines = [1, 2].map((price) => ['create', { price }] as const);
  const id = await once((env) => env.model('fair.order').create({ line_ids: lines }));
  const [, last = 0] = await fair.env.model('fair.line').search([['order_id', '=', id]], { order: 'id' });
  await meeting(execute(sql`select from fair_order where id = ${id}::int4 for no key update`), [
    (env) => env.model('fair.order').write([id], { line_ids: [['update', last, { price: 7 }]] }),
    (env) => work(env, last),
  ]);
  const [read] = await fair.env.model('fair.order').read([id], ['total']);
  expect(String(read?.total)).toBe(total);
});
