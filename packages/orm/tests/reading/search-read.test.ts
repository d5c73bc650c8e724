import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { expectQueries } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Seeds, seedShop } from './seed-shop.ts';
import { createShop, type Shop } from './shop.ts';

let shop: Shop;
let user: Env;
let ids: Seeds;

beforeAll(async () => {
  shop = await createShop();
  user = shop.user();
  ids = await seedShop(shop);
});
afterAll(() => shop.drop());

const orders = () => user.model('t.order');

describe('order and pages', () => {
  it('RPC-6 fields, descending, dotted, many2one by name, ties by id', async () => {
    const names = async (order?: string) =>
      (await orders().searchRead([], ['name'], order ? { order } : {})).map((each) => each.name);
    expect(await names()).toEqual(['O4', 'O3', 'O2', 'O1']);
    expect(await names('qty, -name')).toEqual(['O2', 'O4', 'O3', 'O1']);
    expect(await names('qty')).toEqual(['O2', 'O3', 'O4', 'O1']);
    expect(await names('partner_id')).toEqual(['O2', 'O1', 'O3', 'O4']);
    expect(await names('-partner_id.name, name')).toEqual(['O3', 'O4', 'O1', 'O2']);
    expect(await names('line_count, name')).toEqual(['O3', 'O4', 'O2', 'O1']);
    expect(await names('partner_name, name')).toEqual(['O2', 'O1', 'O3', 'O4']);
  });

  it('REC-9 what cannot be sorted by is INVALID_ARGS', async () => {
    for (const order of [
      'nope',
      'line_ids',
      'file',
      'meta',
      'summary',
      'name desc',
      'name,,qty',
      '-',
      'partner_id.nope',
      'line_ids.price',
    ]) {
      await expect(orders().search([], { order })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
    await expect(orders().search([], { order: 7 as never })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-15 0 gives nothing; negative, broken or text limits are INVALID_ARGS', async () => {
    expect(await orders().search([], { limit: 0 })).toEqual([]);
    expect(await orders().searchReadJson([], ['name'], { limit: 0 })).toBe('[]');
    for (const bad of [-1, 1.5, Number.NaN, '5' as never, null as never]) {
      await expect(orders().search([], { limit: bad })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
      await expect(orders().searchRead([], ['name'], { offset: bad })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    }
    await expect(orders().searchRead([], ['nope'], { limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-15 pages of an order with ties hold every record once', async () => {
    await shop.transact(async (env) => {
      for (const order of ['state', '-state', 'partner_id', 'qty, partner_id.country_id']) {
        const seen: number[] = [];
        for (let offset = 0; offset < 4; offset++) {
          seen.push(...(await env.model('t.order').search([], { order, limit: 1, offset })));
          const [row] = await env.model('t.order').searchRead([], ['partner_id.name'], { order, limit: 1, offset });
          expect(row?.id).toBe(seen[offset]);
        }
        expect(seen.toSorted()).toEqual(ids.orders);
      }
    });
  });

  it('RPC-6 the default order may use what the caller cannot read', async () => {
    const without = shop.user({}, ['t.partner']);
    expect(await without.model('t.visit').search()).toEqual(ids.visits);
    await expect(without.model('t.visit').search([], { order: 'partner_id.salary' })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    expect(await user.model('t.visit').search()).toEqual([ids.visits[1], ids.visits[0]]);
  });

  it('count counts what the caller may see', async () => {
    expect(await user.model('t.partner').count()).toBe(3);
    expect(await shop.env.model('t.partner').count()).toBe(5);
    expect(await orders().count([['qty', '>=', 2]])).toBe(3);
  });
});

describe('statements', () => {
  it('RPC-6 a list page is one statement, with its count two', async () => {
    await expectQueries(shop.database, 2, async () => {
      await orders().searchReadJson(
        [['partner_id.name', '!=', 'x']],
        [
          'name',
          'total',
          'partner_id.display_name',
          'partner_id.country_id.display_name',
          'partner_name',
          'line_count',
          'double',
        ],
        { limit: 80, order: 'partner_id, -name' },
      );
      await orders().count([['partner_id.name', '!=', 'x']]);
    });
  });

  it('RPC-7 reading 80 records with two x2many is three statements', async () => {
    const many = await shop.insert('t.order', Array(80).fill({ name: 'many' }));
    await shop.insert(
      't.line',
      many.map((id) => ({ order_id: id, product: 'p' })),
    );
    const read = await expectQueries(shop.database, 3, () => orders().read(many, ['name', 'line_ids', 'tag_ids']));
    expect(read.every((each) => (each.line_ids as number[]).length === 1)).toBe(true);
    await shop.database.execute(sql`delete from t_order where name = 'many'`);
  });

  it('RPC-7 a nested projection costs no more than the ids', async () => {
    await expectQueries(shop.database, 3, () =>
      orders().readJson(ids.orders, ['name', { line_ids: ['product'] }, 'tag_ids']),
    );
  });
});
