import type { Actor, Env } from '@kontor/orm';
import { countStatements, createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
let seller: Actor;
let partner: number;
let products: readonly number[];
let stages: readonly number[];
beforeAll(async () => {
  world = await createTestKernel({ modules: ['sale', 'crm', 'sale_crm'] });
  seller = await world.person('Selma Seller', ['crm.group_user', 'sale.group_user']);
  await world.work(async (env) => {
    const [uom] = await env.model('product.uom').search([], { limit: 1 });
    partner = await env.model('core.partner').create({ name: 'Customer' });
    const rows = Array.from({ length: 5 }, (_, i) => ({ name: `P${i}`, type: 'goods', uom_id: uom, list_price: '5' }));
    products = await env.model('product.product').createMany(rows);
    stages = await env.model('crm.stage').search([['is_won', '=', false]]);
  });
});
afterAll(() => world.close());

/** A call from outside, as the seller. */
const call = async <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  (await world.kernel.transact(seller, work, { isOutside: true })).result;

/** What it costs once plans and prepared statements are there. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  return countStatements(work);
}

const makeOrder = () =>
  call((env) =>
    env.model('sale.order').create({
      partner_id: partner,
      line_ids: products.map((id) => ['create', { product_id: id, quantity: '2' }]),
    }),
  );
const makeLead = () =>
  call((env) =>
    env.model('crm.lead').create({ name: 'L', type: 'opportunity', expected_revenue: '10', stage_id: stages[0] }),
  );

it('PRF-28 an order of five lines is made and confirmed, and a lead moved, with few statements', async () => {
  const orders = [await makeOrder(), await makeOrder()];
  const leads = [await makeLead(), await makeLead()];
  const costs = {
    order: await costOf(makeOrder),
    confirm: await costOf(() => call((env) => env.model('sale.order').call([orders.pop() as number], 'confirm'))),
    move: await costOf(() =>
      call((env) => env.model('crm.lead').write([leads.pop() as number], { stage_id: stages[1] })),
    ),
  };
  expect(costs).toEqual({ order: 20, confirm: 11, move: 6 });
});
