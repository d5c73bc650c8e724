import { type Env, inOperation } from '@kontor/orm';
import { type Domain, type Operation, parseDomain } from '@kontor/protocol';
import type { TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, makeOrder, openTrade, refusal } from '../computing/trade.ts';

let trade: TestWorld;
beforeAll(async () => {
  trade = await openTrade();
});
afterAll(() => trade.drop());

/** One transaction of a person whose rule on orders holds for the given operations. */
function limited<T>(domain: Domain, operations: readonly Operation[], work: (env: Env) => Promise<T>): Promise<T> {
  const rule = { name: 'test', domain: parseDomain(domain), groups: [], operations: new Set(operations) };
  return trade.database.transaction((tx) =>
    work(trade.as({ uid: 2 }, tx, { rules: new Map([['trade.order', [rule]]]) })),
  );
}

describe('rules after the change', () => {
  it('ACC-2 rule: a record must not leave what its author may write, also by what is computed', async () => {
    const id = await trade.transact((env) => makeOrder(env, [120], { discount: 50 }));
    const writing = limited([['total', '<', 100]], ['write'], (env) =>
      env.model('trade.order').write([id], { discount: 0 }),
    );
    expect(await refusal(writing)).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { model: 'trade.order', operation: 'write', layer: 'rule', ids: [id] },
    });
    expect(await look(trade.env, 'trade.order', id, 'total')).toEqual({ total: '60' });
  });

  it('ACC-2 rule: a new record is judged with its lines, when the operation ends', async () => {
    const create = (price: number) => limited([['total', '<', 100]], ['create'], (env) => makeOrder(env, [price], {}));
    expect(await refusal(create(150))).toMatchObject({
      code: 'ACCESS_DENIED',
      details: { operation: 'create', layer: 'rule' },
    });
    await expect(create(50)).resolves.toEqual(expect.any(Number));
    const both = limited([['total', '>', 10]], ['create'], (env) =>
      inOperation(env, async () => {
        const id = await makeOrder(env);
        await env.model('trade.line').create({ order_id: id, price: 20 });
        return id;
      }),
    );
    await expect(both).resolves.toEqual(expect.any(Number));
  });

  it('ACC-2 rule: what server code writes under sudo is not held against the caller', async () => {
    const id = await trade.transact((env) => makeOrder(env, [50]));
    await limited([['total', '<', 100]], ['write', 'read'], (env) =>
      env.sudo().model('trade.line').create({ order_id: id, price: 500 }),
    );
    expect(await look(trade.env, 'trade.order', id, 'total')).toEqual({ total: '550' });
  });
});
