import { anyModel, type Env } from '@kontor/addon';
import { installModules, uninstallModule } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
let seller: TestKernel['admin'];
let product: number;
let customer: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'sale'] });
  seller = await world.person('Selma Seller', ['sale.group_user', 'crm.group_user']);
  [product, customer] = await run(async (env) => {
    const uom_id = await env.ref('product.uom_unit');
    return [
      await env.model('product.product').create({ name: 'Desk', uom_id, list_price: '329' }),
      await env.model('core.partner').create({ name: 'Fjordkontoret AS' }),
    ] as const;
  });
});
afterAll(() => world.close());

function run<T>(work: (env: Env) => Promise<T>, actor = world.admin): Promise<T> {
  return world.work((env) => work(typedEnv(env)), actor);
}
const opportunity = (values: object = {}) =>
  run(
    (env) =>
      env.model('crm.lead').create({ name: 'New offices', type: 'opportunity', partner_id: customer, ...values }),
    seller,
  );
const press = (id: number, action: string, params = {}, actor = seller) =>
  run((env) => anyModel(env, 'crm.lead').call([id], action, params), actor);
async function quote(lead: number): Promise<number> {
  const answer = (await press(lead, 'new_quotation')) as { redirect: string };
  return Number(new URL(answer.redirect, 'http://x').searchParams.get('id'));
}
const addLine = (order: number) =>
  run((env) => env.model('sale.order.line').create({ order_id: order, product_id: product, quantity: 2 }), seller);
const leadOf = async (id: number) => {
  const fields = ['state', 'stage_id.is_won', 'order_count', 'order_ids', 'ordered_total'] as const;
  const [row] = await run((env) => env.model('crm.lead').read([id], fields));
  return JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
};

describe('an opportunity', () => {
  it('SCR-1 installs itself when crm and sale are there', () => {
    expect(world.kernel.loaded.states.get('sale_crm')).toBe('installed');
  });

  it('SCR-2 becomes a quotation for its customer, by its salesperson', async () => {
    const lead = await opportunity();
    const order = await quote(lead);
    const fields = ['partner_id', 'user_id', 'lead_id', 'state', 'company_id'] as const;
    const [row] = await run((env) => env.model('sale.order').read([order], fields), seller);
    expect(row).toMatchObject({ partner_id: customer, user_id: seller.uid, lead_id: lead, state: 'draft' });
    expect(await leadOf(lead)).toMatchObject({ order_count: 1, order_ids: [order], ordered_total: '0', state: 'open' });
    const shown = (await press(lead, 'view_orders')) as { redirect: string };
    expect(new URL(shown.redirect, 'http://x').searchParams.get('domain')).toBe(`[["lead_id","in",[${lead}]]]`);
  });

  it('SCR-3 says what is missing before it can be one', async () => {
    const told = async (id: number) => (await press(id, 'new_quotation').catch((error: Error) => error)) as Error;
    expect((await told(await opportunity({ partner_id: null }))).message).toContain('Choose a customer first');
    expect((await told(await opportunity({ type: 'lead' }))).message).toContain('Convert the lead');
    const lost_reason_id = await run((env) => env.model('crm.lost.reason').create({ name: 'Too dear' }));
    const lost = await opportunity();
    await run((env) => env.model('crm.lead').call([lost], 'lose', { lost_reason_id }));
    expect((await told(lost)).message).toContain('Restore it first');
  });

  it.each(['button', 'stage'] as const)('SCR-4 is won when its quotation is confirmed, by %s', async (way) => {
    const lead = await opportunity();
    const order = await quote(lead);
    await addLine(order);
    const stage_id = await run((env) => env.ref('sale.stage_sale'));
    await run(async (env) => {
      if (way === 'button') await env.model('sale.order').call([order], 'confirm');
      else await env.model('sale.order').write([order], { stage_id });
    }, seller);
    expect(await leadOf(lead)).toMatchObject({ state: 'won', 'stage_id.is_won': true, ordered_total: '658' });
  });

  it('SCR-4 also by somebody without a right on opportunities', async () => {
    const clerk = await world.person('Klara Clerk', ['sale.group_all']);
    const lead = await opportunity();
    const order = await quote(lead);
    await addLine(order);
    await run((env) => env.model('sale.order').call([order], 'confirm'), clerk);
    expect(await leadOf(lead)).toMatchObject({ state: 'won' });
  });

  it('SCR-5 takes its open quotations with it when it is lost, and leaves orders', async () => {
    const lead = await opportunity();
    const [kept, gone] = [await quote(lead), await quote(lead)];
    await addLine(kept);
    await run((env) => env.model('sale.order').call([kept], 'confirm'), seller);
    await run((env) => env.sudo().model('crm.lead').write([lead], { state: 'open' }));
    const reason = await run((env) => env.model('crm.lost.reason').create({ name: 'Changed plans' }));
    await press(lead, 'lose', { lost_reason_id: String(reason) });
    const rows = await run((env) => env.model('sale.order').read([kept, gone], ['state']));
    expect(rows.map((row) => row.state)).toEqual(['sale', 'cancel']);
  });

  it('SCR-6 the total ordered is in the currency of the company', async () => {
    const pricelist_id = await run(async (env) =>
      env.model('product.pricelist').create({ name: 'GBP', currency_id: await env.ref('base.GBP'), rate: '0.8' }),
    );
    const lead = await opportunity();
    const order = await quote(lead);
    await run((env) => env.model('sale.order').write([order], { pricelist_id }), seller);
    await addLine(order);
    await run((env) => env.model('sale.order').call([order], 'confirm'), seller);
    const [row] = await run((env) => env.model('sale.order').read([order], ['amount_total']));
    expect(String(row?.amount_total)).toBe('526.4');
    expect(await leadOf(lead)).toMatchObject({ ordered_total: '658' });
  });

  it('SCR-9 a won opportunity is worth what was ordered, without tax', async () => {
    const lead = await opportunity();
    const order = await quote(lead);
    await addLine(order);
    await run((env) => env.model('sale.order').call([order], 'confirm'), seller);
    const [row] = await run((env) => env.model('sale.order').read([order], ['amount_untaxed']));
    const [won] = await run((env) => env.model('crm.lead').read([lead], ['state', 'expected_revenue']));
    expect([won?.state, String(won?.expected_revenue)]).toEqual(['won', String(row?.amount_untaxed)]);
    const worth = async () =>
      String((await run((env) => env.model('crm.lead').read([lead], ['expected_revenue'])))[0]?.expected_revenue);
    const call = (action: 'amend' | 'confirm' | 'cancel', answers = {}) =>
      run((env) => env.sudo().model('sale.order').call([order], action, answers));
    await call('amend', { amend_reason: 'More of it' });
    expect(await worth()).toBe(String(row?.amount_untaxed));
    await run((env) =>
      env
        .sudo()
        .model('sale.order')
        .write([order], { line_ids: [['create', { name: 'More', price_unit: 100, tax_ids: [['set', []]] }]] }),
    );
    await call('confirm');
    expect(await worth()).toBe(String(Number(row?.amount_untaxed) + 100));
    await call('cancel');
    expect(await worth()).toBe('0');
  });

  it('SCR-7 without the glue crm and sale go on as they were', async () => {
    const lead = await opportunity();
    const order = await quote(lead);
    await addLine(order);
    await world.kernel.changeModules((context) => uninstallModule(context, 'sale_crm'));
    await run((env) => env.model('sale.order').call([order], 'confirm'), seller);
    const [row] = await run((env) => env.model('crm.lead').read([lead], ['state']));
    expect(row).toMatchObject({ state: 'open' });
    await world.kernel.changeModules((context) => installModules(context, ['sale_crm']));
    expect(await leadOf(lead)).toMatchObject({ order_ids: [order], ordered_total: '658' });
  });
});
