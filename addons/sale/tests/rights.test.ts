import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const sees = (id: number, actor: Shop['admin']) =>
  shop.run(async (env) => (await env.model('sale.order').count([['id', '=', id]])) === 1, actor);

describe('rights', () => {
  it('SAL-20 salespeople see their own orders and those of nobody', async () => {
    const own = await makeOrder(shop);
    const unassigned = await makeOrder(shop, { user_id: null }, shop.manager);
    expect(await sees(own, shop.seller)).toBe(true);
    expect(await sees(own, shop.other)).toBe(false);
    expect(await sees(unassigned, shop.other)).toBe(true);
    const read = shop.run((env) => env.model('sale.order').read([own], ['name']), shop.other);
    expect(await refusal(read)).toMatchObject({ code: 'ACCESS_DENIED' });
    const press = shop.run((env) => env.model('sale.order').call([own], 'confirm'), shop.other);
    expect(await refusal(press)).toMatchObject({ code: 'ACCESS_DENIED' });
    const lines = shop.run((env) => env.model('sale.order.line').count([['order_id', '=', own]]), shop.other);
    expect(await lines).toBe(0);
  });

  it('SAL-20 a line of an order that is hidden tells nothing of it, whatever is written', async () => {
    const order = await makeOrder(shop, { line_ids: [['create', { name: 'Chair', quantity: 1, price_unit: 100 }]] });
    await shop.run((env) => env.model('sale.order').call([order], 'confirm'));
    const [read] = await shop.run((env) => env.model('sale.order').read([order], ['name', 'line_ids']));
    const [line = 0] = (read?.line_ids ?? []) as readonly number[];
    const answers = await Promise.all(
      [{ quantity: 3 }, { price_unit: 1 }, { order_id: order }].map(async (values) => {
        const write = shop.work((env) => env.outside(true).model('sale.order.line').write([line], values), shop.other);
        const { code, message, details } = await refusal(write);
        return JSON.stringify({ code, message, details });
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('ACCESS_DENIED');
    expect(answers[0]).not.toContain(String(read?.name));
  });

  it('SAL-28 price list, terms and tax of a customer are for those who sell', async () => {
    const clerk = await shop.person('Carl Clerk', ['contacts.group_user']);
    for (const values of [{ pricelist_id: shop.ids.wholesale }, { payment_days: 90 }, { tax_exempt: true }]) {
      const set = (actor: Shop['admin']) =>
        shop.work((env) => env.outside(true).model('core.partner').write([shop.ids.customer], values), actor);
      expect(await refusal(set(clerk))).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
      const make = shop.work(
        (env) =>
          env
            .outside(true)
            .model('core.partner')
            .create({ name: 'New', ...values }),
        clerk,
      );
      expect(await refusal(make)).toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'field' } });
      expect(await set(shop.seller)).toBe(true);
    }
    await shop.run((env) =>
      env
        .model('core.partner')
        .write([shop.ids.customer], { pricelist_id: null, payment_days: null, tax_exempt: false }),
    );
  });

  it('CMP-6 a dry run uses up no number, and tells those that would come', async () => {
    const number = async (isDryRun: boolean) => {
      const { result } = await shop.kernel.transact(
        shop.seller,
        async (env) => {
          const orders = env.model('sale.order');
          const ids = [
            await orders.create({ partner_id: shop.ids.customer }),
            await orders.create({ partner_id: shop.ids.customer }),
          ];
          return (await orders.read(ids, ['name'])).map(({ name }) => Number(String(name).replace(/\D/g, '')));
        },
        { isDryRun },
      );
      return result;
    };
    const [, last = 0] = await number(false);
    expect(await number(true)).toEqual([last + 1, last + 2]);
    expect(await number(true)).toEqual([last + 1, last + 2]);
    expect(await number(false)).toEqual([last + 1, last + 2]);
  });

  it('SAL-20 nobody gives an order away to where they do not see it', async () => {
    const own = await makeOrder(shop);
    const give = shop.run((env) => env.model('sale.order').write([own], { user_id: shop.other.uid }), shop.seller);
    expect(await refusal(give)).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('SAL-20 an order is handed to a colleague, who is told', async () => {
    const own = await makeOrder(shop);
    const give = (user_id: number, actor = shop.seller) =>
      shop.run((env) => env.model('sale.order').call([own], 'hand_over', { user_id, note: 'Call them.' }), actor);
    expect(await refusal(give(0))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refusal(give(shop.other.uid, shop.other))).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await give(shop.other.uid)).toEqual({ redirect: '/web?action=sale.all_orders' });
    expect(await sees(own, shop.seller)).toBe(false);
    expect(await sees(own, shop.other)).toBe(true);
    const lines = await shop.run((env) => env.model('sale.order.line').count([['order_id', '=', own]]), shop.other);
    expect(lines).toBe(1);
    const told = await shop.run(
      (env) => env.model('sys.notification').searchRead([], ['title', 'body', 'href'], { limit: 1 }),
      shop.other,
    );
    const [order] = await shop.run((env) => env.model('sale.order').read([own], ['name']), shop.other);
    expect(told).toMatchObject([
      {
        title: expect.stringMatching(`hands over to you: ${order?.name}$`),
        body: 'Call them.',
        href: expect.stringContaining(`id=${own}`),
      },
    ]);
  });

  it('SAL-21 team members see the orders of their team, and their orders belong to it', async () => {
    const mate = await shop.person('Tilda Team', ['sale.group_team']);
    const team = await shop.run((env) =>
      env.model('sale.team').create({ name: 'North', member_ids: [['set', [mate.uid, shop.seller.uid]]] }),
    );
    const id = await makeOrder(shop);
    const [order] = await shop.run((env) => env.model('sale.order').read([id], ['team_id']));
    expect(order?.team_id).toBe(team);
    expect(await sees(id, mate)).toBe(true);
    const elsewhere = await makeOrder(shop, {}, shop.other);
    expect(await sees(elsewhere, mate)).toBe(false);
    const leader = await shop.person('Lena Leader', ['sale.group_team']);
    expect(await sees(id, leader)).toBe(false);
    await shop.run((env) => env.model('sale.team').write([team], { user_id: leader.uid }));
    expect(await sees(id, leader)).toBe(true);
  });

  it('SAL-22 those of all orders see all, and only managers configure', async () => {
    const all = await shop.person('Alva All', ['sale.group_all']);
    expect(await sees(await makeOrder(shop, {}, shop.other), all)).toBe(true);
    const tax = (actor: Shop['admin']) =>
      shop.run((env) => env.model('sale.tax').create({ name: `T${actor.uid}` }), actor);
    expect(await refusal(tax(all))).toMatchObject({ code: 'ACCESS_DENIED' });
    await tax(shop.manager);
    expect(shop.admin.groups.has('sale.group_manager')).toBe(true);
    const outsider = await shop.person('Ole Outside');
    const count = shop.run((env) => env.model('sale.order').count([]), outsider);
    expect(await refusal(count)).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('SAL-23 orders stay in their company, and so does what they point at', async () => {
    const company = await shop.run(async (env) => {
      const currency_id = await env.ref('base.EUR');
      return env.sudo().model('core.company').create({ name: 'Südwind GmbH', currency_id });
    });
    const values = { company_id: company, company_ids: [['set', [company]]] };
    const abroad = await shop.person('Sunniva Süd', ['sale.group_manager'], values);
    const id = await makeOrder(shop);
    expect(await sees(id, abroad)).toBe(false);
    // Products are priced in dollars, and nobody knows a rate.
    const line_ids = [['create', { product_id: shop.ids.desk, price_unit: 300 }]];
    const theirs = await makeOrder(shop, { line_ids }, abroad);
    expect(await sees(theirs, shop.admin)).toBe(false);
    const [order] = await shop.run((env) => env.model('sale.order').read([theirs], ['currency_id.name']), abroad);
    expect(order).toMatchObject({ 'currency_id.name': 'EUR' });
    const pricelist_id = await shop.run((env) =>
      env.model('product.pricelist').create({ name: 'Ours', company_id: shop.admin.companyId }),
    );
    expect(await refusal(makeOrder(shop, { pricelist_id, line_ids }, abroad))).toMatchObject({
      code: expect.stringMatching(/ACCESS_DENIED|VALIDATION_ERROR/),
    });
  });
});
