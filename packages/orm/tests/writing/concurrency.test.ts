import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, makePartner, openShop, refusal, ruleOn } from './shop.ts';

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.drop());

/** Opens when every party has arrived. */
function gate(parties: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = parties;
  return () => {
    if (--waiting === 0) open();
    return waiting > 0 ? opened : Promise.resolve();
  };
}

async function amountOf(id: number): Promise<string> {
  return String((await shop.env.model('shop.order').read([id], ['amount']))[0]?.amount);
}

/** Resolves once some statement of this database waits for a lock. */
async function someoneWaits(): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
  while ((await shop.database.query(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** The second write starts while the first holds the row, and goes on when the first commits. */
async function oneAfterTheOther<T>(first: (env: Env) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  let later: Promise<T> | undefined;
  await shop.transact(async (env) => {
    await first(env);
    later = second();
    later.catch(() => {});
    await someoneWaits();
  });
  return later as Promise<T>;
}

describe('a write that had to wait', () => {
  const companies = (env: Env) => env.model('core.company');
  const makeCompany = (name: string) => shop.transact((env) => companies(env).create({ name }));
  const nameOf = async (id: number) => (await companies(shop.env).read([id], ['name']))[0]?.name;

  it('REC-12 writes what was there at its start, if someone changed it meanwhile', async () => {
    const id = await makeCompany('B');
    await oneAfterTheOther(
      (env) => companies(env).write([id], { name: 'A' }),
      () => shop.transact((env) => companies(env).write([id], { name: 'B' })),
    );
    expect(await nameOf(id)).toBe('B');
  });

  it('changes tell the value that was overwritten, not the one at its start', async () => {
    const id = await makeCompany('A');
    const changes = await oneAfterTheOther(
      (env) => companies(env).write([id], { name: 'B' }),
      () =>
        shop.transact(async (env) => {
          await companies(env).write([id], { name: 'C' });
          return env.work.changes;
        }),
    );
    expect(changes).toMatchObject([{ id, values: { name: { old: 'B', new: 'C' } } }]);
  });

  it('RPC-11 write of a record that was deleted meanwhile is NOT_FOUND, and the others stay', async () => {
    const [gone, kept] = [await makeCompany('A'), await makeCompany('A')];
    const work = oneAfterTheOther(
      (env) => companies(env).unlink([gone]),
      () => shop.transact((env) => companies(env).write([gone, kept], { name: 'B' })),
    );
    expect(await refusal(work)).toMatchObject({ code: 'NOT_FOUND', details: { missing_ids: [gone] } });
    expect(await nameOf(kept)).toBe('A');
  });

  it('ACC-2 write of a record that a rule hides by then is ACCESS_DENIED', async () => {
    const id = await makeCompany('A');
    const rule = ruleOn('core.company', [['name', '!=', 'Hidden']]);
    const work = oneAfterTheOther(
      (env) => companies(env).write([id], { name: 'Hidden' }),
      () => shop.database.transaction((tx) => companies(shop.as({ uid: 2 }, tx, rule)).write([id], { name: 'B' })),
    );
    expect(await refusal(work)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
    expect(await nameOf(id)).toBe('Hidden');
  });
});

describe('writers at the same time', () => {
  it('CMP-2 two people adding lines to one order both count', async () => {
    const id = await shop.transact((env) => makeOrder(env));
    const arrive = gate(2);
    const add = (price: number) =>
      shop.transact(async (env) => {
        await arrive();
        await env.model('shop.order').write([id], { line_ids: [['create', { product: 'A', price }]] });
      });
    await Promise.all([add(3), add(4)]);
    expect(await amountOf(id)).toBe('7');
  });

  it('CMP-2 lines created directly by many people all count', async () => {
    const id = await shop.transact((env) => makeOrder(env));
    const add = () => shop.transact((env) => env.model('shop.line').create({ order_id: id, product: 'A', price: 1 }));
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await amountOf(id)).toBe('20');
  });

  it('REC-12 writers of the same records in opposite order do not deadlock', async () => {
    const ids = await shop.transact((env) =>
      env.model('core.company').createMany(Array.from({ length: 40 }, (_, index) => ({ name: `C${index}` }))),
    );
    const runs = { count: 0 };
    const write = (order: readonly number[], name: string) =>
      shop.database.transaction(
        (tx) => {
          runs.count++;
          return shop.as({}, tx).model('core.company').write(order, { name });
        },
        { retries: 0 },
      );
    const work = Array.from({ length: 16 }, (_, index) => write(index % 2 ? ids : ids.toReversed(), `N${index}`));
    await Promise.all(work);
    expect(runs.count).toBe(16);
  });

  it('RPC-18 base makes a lost update impossible', async () => {
    const id = await shop.transact((env) => makeOrder(env, { note: '0' }));
    const arrive = gate(2);
    const write = (note: string) =>
      shop.transact(async (env) => {
        await arrive();
        await env.model('shop.order').write([id], { note }, { base: { note: '0' } });
      });
    const settled = await Promise.allSettled([write('mine'), write('yours')]);
    expect(settled.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = settled.find((each) => each.status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: 'CONFLICT' });
  });

  it('REC-12 a write that waited compares with what is there then', async () => {
    const id = await shop.transact((env) => env.model('core.company').create({ name: 'A' }));
    const changes: Env['work']['changes'][] = [];
    const write = () =>
      shop.transact(async (env) => {
        await env.model('core.company').write([id], { name: 'B' });
        changes.push(env.work.changes);
      });
    await Promise.all([write(), write(), write()]);
    expect(changes.map((each) => each.length).sort()).toEqual([0, 0, 1]);
  });

  it('hierarchy: two moves cannot close a circle together', async () => {
    const [a, b] = await shop.transact(async (env) => [await makePartner(env), await makePartner(env)] as const);
    const arrive = gate(2);
    const move = (id: number, parent: number) =>
      shop.transact(async (env) => {
        await arrive();
        await env.model('shop.partner').write([id], { parent_id: parent });
      });
    const settled = await Promise.allSettled([move(a, b), move(b, a)]);
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  });

  it('REC-12 a line cannot be added to an order that is being deleted', async () => {
    const id = await shop.transact((env) => makeOrder(env));
    const arrive = gate(2);
    const remove = shop.transact(async (env) => {
      await env.model('shop.order').unlink([id]);
      await arrive();
    });
    const add = (async () => {
      await arrive();
      return refusal(shop.transact((env) => env.model('shop.line').create({ order_id: id, product: 'A' })));
    })();
    await remove;
    expect(await add).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
