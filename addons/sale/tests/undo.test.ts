import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** What the seller does, and the change set of it. */
async function does(work: Parameters<Shop['work']>[0], actor = shop.seller): Promise<number> {
  const { changeSet } = await shop.kernel.transact(actor, work);
  return changeSet as number;
}
const undo = (set: number, actor = shop.seller) =>
  does((env) => env.model('sys.change.set').call([set], 'revert'), actor);
const look = async (id: number, ...fields: string[]) =>
  (await shop.work((env) => env.model('sale.order').read([id], fields)))[0];

describe('RPC-21 undo of orders', () => {
  it('RPC-21 puts a state back that no move leads to, under locks, by who may write the order', async () => {
    const id = await makeOrder(shop);
    const before = await look(id, 'state', 'stage_id', 'date_confirmed');
    const confirmed = await does((env) => env.model('sale.order').call([id], 'confirm'));
    expect(await look(id, 'state')).toMatchObject({ state: 'sale' });
    expect(await refusal(undo(confirmed, shop.other))).toMatchObject({ code: 'ACCESS_DENIED' });
    await undo(confirmed);
    expect(await look(id, 'state', 'stage_id', 'date_confirmed')).toEqual(before);
  });

  it('RPC-21 takes lines back with what their maker may not see of them', async () => {
    const id = await makeOrder(shop);
    const [line] = await shop.work((env) => env.model('sale.order.line').search([['order_id', '=', id]]));
    const costs = () =>
      shop.work((env) => env.model('sale.order.line').searchRead([['order_id', '=', id]], ['unit_cost', 'product_id']));
    const before = await costs();
    const changed = await does((env) =>
      env.model('sale.order').write([id], {
        line_ids: [
          ['update', line, { product_id: shop.ids.lamp }],
          ['create', { product_id: shop.ids.lamp, quantity: 2 }],
        ],
      }),
    );
    expect(await costs()).toHaveLength(2);
    await undo(changed);
    expect(await costs()).toEqual(before);
  });

  it('RPC-21 takes a new order back with its lines, until somebody adds to it', async () => {
    const values = { partner_id: shop.ids.customer, line_ids: [['create', { product_id: shop.ids.desk }]] };
    const create = () => does((env) => env.model('sale.order').create(values));
    const count = () => shop.work((env) => env.model('sale.order.line').count());
    const before = await count();
    await undo(await create());
    expect(await count()).toBe(before);
    const set = await create();
    const [id] = await shop.work((env) => env.model('sale.order').search([], { order: '-id', limit: 1 }));
    await does(
      (env) => env.model('sale.order.line').create({ order_id: id as number, product_id: shop.ids.lamp }),
      shop.manager,
    );
    const refused = await refusal(undo(set));
    expect(refused).toMatchObject({ code: 'CONFLICT', details: { records: [{ model: 'sale.order', id }] } });
    expect(refused.message).toContain('Mara Manager');
  });
});
