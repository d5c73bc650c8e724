import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, makePartner, openShop, refusal, ruleOn } from './shop.ts';

let shop: TestWorld;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.drop());

const user = { uid: 2 };
const writes = (env: Env) => env.work.changes.filter((change) => change.operation === 'write');

describe('write', () => {
  it('RPC-11 write changes many records in one statement', async () => {
    await shop.transact(async (env) => {
      const ids = await env.model('core.company').createMany(Array.from({ length: 100 }, () => ({ name: 'old' })));
      await expectQueries(env.db, 1, () => env.model('core.company').write(ids, { name: 'new' }));
      const read = await env.model('core.company').read(ids, ['name']);
      expect(new Set(read.map((record) => record.name))).toEqual(new Set(['new']));
      expect(writes(env)).toHaveLength(100);
      expect(writes(env)[0]).toMatchObject({ model: 'core.company', values: { name: { old: 'old', new: 'new' } } });
    });
  });

  it('RPC-11 write asks rules in the same statement', async () => {
    const id = await shop.transact((env) => env.model('core.company').create({ name: 'A' }));
    await shop.database.transaction(async (tx) => {
      const byId = shop.as(user, tx, ruleOn('core.company', [['id', '>', 0]]));
      await expectQueries(tx, 1, () => byId.model('core.company').write([id], { name: 'B' }));
      const byName = shop.as(user, tx, ruleOn('core.company', [['name', '!=', 'X']]));
      await expectQueries(tx, 1, () => byName.model('core.company').write([id], { name: 'C' }));
    });
  });

  it('REC-11 write of the same values writes nothing at all', async () => {
    const values = {
      note: 'x',
      rate: '1.50',
      opened_at: '2026-01-02T03:04:05+02:00',
      extra: { a: 1, b: [2] },
      pin: 'p',
    };
    const id = await shop.transact((env) => makeOrder(env, values));
    const before = await shop.database.query(sql`select xmin::text, write_date from shop_order where id = ${id}`);
    await shop.transact(async (env) => {
      const same = { ...values, rate: 1.5, opened_at: '2026-01-02T01:04:05.000Z', extra: { b: [2], a: 1 } };
      await expectQueries(env.db, 1, () => env.model('shop.order').write([id], same));
      expect(env.work.changes).toEqual([]);
    });
    expect(await shop.database.query(sql`select xmin::text, write_date from shop_order where id = ${id}`)).toEqual(
      before,
    );
  });

  it('RPC-11 write touches only the records that differ', async () => {
    await shop.transact(async (env) => {
      const [a, b] = await env.model('core.company').createMany([{ name: 'A' }, { name: 'B' }]);
      await env.model('core.company').write([a as number, b as number, b as number], { name: 'B' });
      expect(writes(env).map((change) => change.id)).toEqual([a]);
    });
  });

  it('RPC-11 write of an id that does not exist is NOT_FOUND and changes nothing', async () => {
    const id = await shop.transact((env) => makePartner(env));
    const refused = await refusal(
      shop.transact((env) => env.model('shop.partner').write([id, 900_001, 2 ** 31 - 1], { name: 'X' })),
    );
    expect(refused).toMatchObject({
      code: 'NOT_FOUND',
      details: { model: 'shop.partner', missing_ids: [900_001, 2 ** 31 - 1] },
    });
    expect(await refusal(shop.env.model('shop.partner').write([2 ** 40], { name: 'X' }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await shop.env.model('shop.partner').read([id], ['name']))[0]?.name).toBe('Ada');
  });

  it('RPC-11 write that is refused has changed nothing, even for code that goes on', async () => {
    await shop.transact(async (env) => {
      const [a, b] = (await env.model('core.company').createMany([{ name: 'A' }, { name: 'Hidden' }])) as [
        number,
        number,
      ];
      const rule = ruleOn('core.company', [['name', '!=', 'Hidden']], ['write']);
      const restricted = shop.as(user, env.db, rule).model('core.company');
      expect(await refusal(restricted.write([a, b], { name: 'C' }))).toMatchObject({ code: 'ACCESS_DENIED' });
      expect(await refusal(restricted.write([a, 900_000], { name: 'C' }))).toMatchObject({ code: 'NOT_FOUND' });
      expect((await env.model('core.company').read([a], ['name']))[0]?.name).toBe('A');
    });
  });

  it('RPC-11 write refuses malformed ids, values and too many ids', async () => {
    const partners = shop.env.model('shop.partner');
    for (const ids of ['1', 5, [1.5], ['1'], [null], [true]]) {
      expect(await refusal(partners.write(ids as never, { name: 'X' }))).toMatchObject({ code: 'INVALID_ARGS' });
    }
    for (const values of [null, [], 'x', { nam: 'x' }, { id: 3 }]) {
      expect(await refusal(partners.write([1], values as never))).toMatchObject({ code: 'INVALID_ARGS' });
    }
    const many = Array.from({ length: 10_001 }, (_, index) => index + 1);
    expect(await refusal(partners.write(many, { name: 'X' }))).toMatchObject({ code: 'INVALID_ARGS' });
    expect(await partners.write([], { name: 'X' })).toBe(true);
    // What is wrong is wrong also where there is nothing to write.
    for (const values of [{ nam: 'x' }, { id: 3 }]) {
      expect(await refusal(partners.write([], values))).toMatchObject({ code: 'INVALID_ARGS' });
    }
  });

  it('RPC-11 write must not empty a required field and tells all bad fields', async () => {
    const id = await shop.transact((env) => makeOrder(env));
    const refused = await refusal(
      shop.transact((env) => env.model('shop.order').write([id], { name: null, partner_id: null, state: 'x' })),
    );
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect(Object.keys(refused.details.fields as object).sort()).toEqual(['name', 'partner_id', 'state']);
  });

  it('ACC-2 write of a hidden or protected record is ACCESS_DENIED by layer rule', async () => {
    const id = await shop.transact((env) => makePartner(env, { name: 'Hidden' }));
    for (const operation of ['read', 'write'] as const) {
      const work = shop.database.transaction((tx) => {
        const env = shop.as(user, tx, ruleOn('shop.partner', [['name', '!=', 'Hidden']], [operation]));
        return env.model('shop.partner').write([id], { email: 'x@y.z' });
      });
      expect(await refusal(work)).toMatchObject({
        code: 'ACCESS_DENIED',
        details: { layer: 'rule', model: 'shop.partner', operation: 'write' },
      });
    }
  });

  it('ACC-2 write must not take a record out of what the rules allow', async () => {
    const id = await shop.transact((env) => makePartner(env));
    const work = shop.database.transaction((tx) => {
      const env = shop.as(user, tx, ruleOn('shop.partner', [['name', '!=', 'Hidden']]));
      return env.model('shop.partner').write([id], { name: 'Hidden' });
    });
    expect(await refusal(work)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
    expect((await shop.env.model('shop.partner').read([id], ['name']))[0]?.name).toBe('Ada');
  });

  it('REC-10 checkCompany follows the record when its company changes', async () => {
    const refused = await refusal(
      shop.transact(async (env) => {
        const [one, two] = await env.model('core.company').createMany([{ name: 'One' }, { name: 'Two' }]);
        const id = await makeOrder(env, { company_id: one, partner_id: await makePartner(env, { company_id: one }) });
        await env.model('shop.order').write([id], { company_id: two });
      }),
    );
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { partner_id: [expect.any(String)] } },
    });
  });

  it('hierarchy: a record must not become its own ancestor', async () => {
    await shop.transact(async (env) => {
      const top = await makePartner(env);
      const middle = await makePartner(env, { parent_id: top });
      const leaf = await makePartner(env, { parent_id: middle });
      const partners = env.model('shop.partner');
      for (const parent of [leaf, middle, top]) {
        expect(await refusal(partners.write([top], { parent_id: parent }))).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { fields: { parent_id: [expect.any(String)] } },
        });
      }
      await partners.write([leaf], { parent_id: top });
      await partners.writeEach([
        { id: top, values: { parent_id: leaf } },
        { id: leaf, values: { parent_id: null } },
      ]);
      expect((await partners.read([top], ['parent_id']))[0]?.parent_id).toBe(leaf);
    });
  });

  it('writeEach gives each record its own values in two statements', async () => {
    await shop.transact(async (env) => {
      const orders = env.model('shop.order');
      const partner_id = await makePartner(env);
      const ids = await orders.createMany([1, 2, 3].map((number) => ({ name: `O${number}`, note: 'n', partner_id })));
      const [a, b, c] = ids as [number, number, number];
      await expectQueries(env.db, 2, () =>
        orders.writeEach([
          { id: c, values: { name: 'C', rate: '2.5' } },
          { id: a, values: { note: null } },
          { id: b, values: { name: 'O2', extra: { x: 1 } } },
        ]),
      );
      const read = await orders.read(ids, ['name', 'note', 'rate', 'extra']);
      expect(read.map(({ rate, ...rest }) => ({ ...rest, rate: rate === null ? null : String(rate) }))).toEqual([
        { id: a, name: 'O1', note: null, rate: null, extra: null },
        { id: b, name: 'O2', note: 'n', rate: null, extra: { x: 1 } },
        { id: c, name: 'C', note: 'n', rate: '2.5', extra: null },
      ]);
      expect(Object.keys(writes(env).findLast((change) => change.id === b)?.values ?? {})).toEqual(['extra']);
      expect(
        await refusal(
          orders.writeEach([
            { id: a, values: {} },
            { id: a, values: {} },
          ]),
        ),
      ).toMatchObject({ code: 'INVALID_ARGS' });
    });
  });

  it('CMP-2 stored computes follow a write, and their changes are recorded', async () => {
    await shop.transact(async (env) => {
      const order = await makeOrder(env, { line_ids: [['create', { product: 'A', qty: 2, price: 5 }]] });
      const [{ line_ids }] = (await env.model('shop.order').read([order], ['line_ids'])) as [
        { line_ids: number[]; id: number },
      ];
      await env.model('shop.line').write(line_ids, { qty: 3 });
      expect(String((await env.model('shop.order').read([order], ['amount']))[0]?.amount)).toBe('15');
      const amounts = writes(env).filter((change) => change.model === 'shop.order' && change.values.amount);
      expect(String(amounts.at(-1)?.values.amount?.new)).toBe('15');
    });
  });

  it('CMP-2 moving a line recomputes the old owner and the new one', async () => {
    await shop.transact(async (env) => {
      const from = await makeOrder(env, { line_ids: [['create', { product: 'A', price: 5 }]] });
      const to = await makeOrder(env, { name: 'S2' });
      const [line] = await env.model('shop.line').search([['order_id', '=', from]]);
      await env.model('shop.line').write([line as number], { order_id: to });
      const read = await env.model('shop.order').read([from, to], ['amount']);
      expect(read.map((record) => String(record.amount))).toEqual(['0', '5']);
    });
  });
});
