import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';

type Actor = TestKernel['admin'];

export interface Desk extends TestKernel {
  /** One unit of work through the types of the models. */
  run<T>(work: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  readonly clerk: Actor;
  readonly manager: Actor;
  readonly seller: Actor;
  readonly ids: Readonly<Record<'customer' | 'desk' | 'lamp' | 'vat' | 'reduced' | 'inside', number>>;
}

/** Nordlicht with two products, three taxes, somebody who invoices, their manager and a salesperson without rights to invoices. */
export async function openDesk(settings: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const world = await createTestKernel({ modules: ['invoice'], env: settings });
  const run: Desk['run'] = (work, actor) => world.work((env) => work(typedEnv(env)), actor ?? world.admin);
  return {
    ...world,
    run,
    ids: await run(stock),
    clerk: await world.person('Clara Clerk', ['invoice.group_user'], { email: 'clara@nordlicht.example' }),
    manager: await world.person('Mara Manager', ['invoice.group_manager']),
    seller: await world.person('Selma Seller', ['sale.group_all']),
  };
}

async function stock(env: Env): Promise<Desk['ids']> {
  const piece = await env.ref('product.uom_unit');
  const vat = await env.model('sale.tax').create({ name: 'VAT 19 %', percent: 19 });
  const reduced = await env.model('sale.tax').create({ name: 'VAT 7 %', percent: 7 });
  const inside = await env.model('sale.tax').create({ name: 'VAT 7 %, inside', percent: 7, price_included: true });
  const products = env.model('product.product');
  const desk = await products.create({
    name: 'Desk',
    uom_id: piece,
    list_price: '329.00',
    sale_tax_ids: [['set', [vat]]],
  });
  const lamp = await products.create({
    name: 'Lamp',
    uom_id: piece,
    list_price: '89.95',
    sale_tax_ids: [['set', [reduced]]],
  });
  const customer = await env.model('core.partner').create({
    name: 'Hôtel du Lac SARL',
    email: 'compta@hoteldulac.example',
    street: 'Quai 1',
    zip: '74000',
    city: 'Annecy',
    vat: 'FR26481554209',
  });
  return { customer, desk, lamp, vat, reduced, inside };
}

/** An invoice over one desk and two lamps, by the clerk unless said otherwise. */
export function makeInvoice(desk: Desk, values: object = {}, actor = desk.clerk): Promise<number> {
  const line_ids = [
    ['create', { product_id: desk.ids.desk }] as const,
    ['create', { product_id: desk.ids.lamp, quantity: 2 }] as const,
  ];
  return desk.run(
    (env) => env.model('invoice.invoice').create({ partner_id: desk.ids.customer, line_ids, ...values }),
    actor,
  );
}

export async function postInvoice(desk: Desk, values: object = {}, actor = desk.clerk): Promise<number> {
  const id = await makeInvoice(desk, values, actor);
  await desk.run((env) => env.model('invoice.invoice').call([id], 'post'), actor);
  return id;
}

/** Fields of a record, amounts as text. */
export async function look(
  desk: Desk,
  model: string,
  id: number,
  ...names: string[]
): Promise<Record<string, unknown>> {
  const [row] = await desk.work((env) => env.sudo().model(model).read([id], names));
  return JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
}

export async function refusal(work: Promise<unknown>): Promise<{ code?: string; message: string; details?: unknown }> {
  try {
    await work;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('It was allowed.');
}
