import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';

type Actor = TestKernel['admin'];

export interface Shop extends TestKernel {
  /** One unit of work through the types of the models. */
  run<T>(work: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  readonly seller: Actor;
  readonly other: Actor;
  readonly manager: Actor;
  readonly ids: Readonly<
    Record<'customer' | 'desk' | 'lamp' | 'vat' | 'vatInside' | 'piece' | 'dozen' | 'wholesale', number>
  >;
}

/** Nordlicht with two products, two taxes, a price list, two salespeople and their manager. */
export async function openShop(
  modules: readonly string[] = ['sale'],
  settings: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  const world = await createTestKernel({ modules, env: settings });
  const run: Shop['run'] = (work, actor) => world.work((env) => work(typedEnv(env)), actor ?? world.admin);
  const ids = await run(stock);
  return {
    ...world,
    run,
    ids,
    seller: await world.person('Selma Seller', ['sale.group_user'], { email: 'selma@nordlicht.example' }),
    other: await world.person('Otto Other', ['sale.group_user']),
    manager: await world.person('Mara Manager', ['sale.group_manager']),
  };
}

async function stock(env: Env): Promise<Shop['ids']> {
  const piece = await env.ref('product.uom_unit');
  const dozen = await env.ref('product.uom_dozen');
  const vat = await env.model('sale.tax').create({ name: 'VAT 19 %', percent: 19 });
  const vatInside = await env.model('sale.tax').create({ name: 'VAT 7 %, inside', percent: 7, price_included: true });
  const products = env.model('product.product');
  const desk = await products.create({
    name: 'Desk',
    description: 'Of birch.',
    uom_id: piece,
    list_price: '329.00',
    cost: '171.00',
    sale_tax_ids: [['set', [vat]]],
  });
  const lamp = await products.create({ name: 'Lamp', uom_id: piece, list_price: '89.95', cost: '36.20' });
  const wholesale = await env.model('product.pricelist').create({
    name: 'Wholesale',
    item_ids: [['create', { percent: 10, min_quantity: 12 }]],
  });
  const customer = await env.model('core.partner').create({ name: 'Fjordkontoret AS', email: 'post@fjord.example' });
  return { customer, desk, lamp, vat, vatInside, piece, dozen, wholesale };
}

/** An order of one desk, by the seller unless said otherwise. */
export function makeOrder(shop: Shop, values: object = {}, actor = shop.seller): Promise<number> {
  return shop.run(
    (env) =>
      env.model('sale.order').create({
        partner_id: shop.ids.customer,
        line_ids: [['create', { product_id: shop.ids.desk }]],
        ...values,
      }),
    actor,
  );
}

export async function refusal(work: Promise<unknown>): Promise<{ code?: string; message: string; details?: unknown }> {
  try {
    await work;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('It was allowed.');
}
