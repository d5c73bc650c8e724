import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function look(id: number, fields: readonly string[], actor = shop.admin): Promise<Record<string, unknown>> {
  const [row] = await shop.run((env) => env.model('sale.order').read([id], fields as never), actor);
  return JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
}
const lines = (id: number, fields: readonly string[]) =>
  shop.run(async (env) => {
    const rows = await env
      .model('sale.order.line')
      .searchRead([['order_id', '=', id]], fields as never, { order: 'id' });
    return JSON.parse(JSON.stringify(rows)) as Record<string, unknown>[];
  });

describe('a new order', () => {
  it('SAL-2 has a number, a stage, its salesperson, a validity and the currency of the company', async () => {
    const id = await makeOrder(shop);
    const order = await look(id, [
      'name',
      'state',
      'stage_id.name',
      'user_id',
      'currency_id.name',
      'validity_date',
      'company_id',
    ]);
    expect(order).toMatchObject({
      name: expect.stringMatching(/^S\d{5}$/),
      state: 'draft',
      'stage_id.name': 'Quotation',
      user_id: shop.seller.uid,
      'currency_id.name': 'USD',
      company_id: shop.admin.companyId,
    });
    const days = (Date.parse(order.validity_date as string) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(28);
    expect(days).toBeLessThan(31);
  });

  it('LAN-5 is valid by the days of who makes it, and may be for one day in every zone', async () => {
    const seller = await shop.person('Nora New York', ['sale.group_user'], { tz: 'America/New_York' });
    const evening = { partner_id: shop.ids.customer, date_order: '2026-11-18T01:30:00.000Z' };
    const make = (values: object) =>
      shop.run((env) => env.model('sale.order').create({ ...evening, ...values }), seller);
    expect(await look(await make({}), ['validity_date'])).toMatchObject({ validity_date: '2026-12-17' });
    expect(await look(await make({ validity_date: '2026-11-17' }), ['validity_date'])).toMatchObject({
      validity_date: '2026-11-17',
    });
    expect(await refusal(make({ validity_date: '2026-11-16' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('SAL-3 lines take description, unit, price, cost and taxes from the product', async () => {
    const id = await makeOrder(shop, { line_ids: [['create', { product_id: shop.ids.desk, quantity: 2 }]] });
    expect(await lines(id, ['name', 'uom_id', 'price_unit', 'unit_cost', 'tax_ids', 'price_total'])).toMatchObject([
      {
        name: 'Desk\nOf birch.',
        uom_id: shop.ids.piece,
        price_unit: '329',
        unit_cost: '171',
        tax_ids: [shop.ids.vat],
        price_total: '783.02',
      },
    ]);
  });

  it('SAL-3 what is given stays, and the usual tax of the company fills in', async () => {
    await shop.run((env) =>
      env.model('core.company').write([shop.admin.companyId as number], { sale_tax_id: shop.ids.vatInside }),
    );
    const id = await makeOrder(shop, {
      line_ids: [
        ['create', { product_id: shop.ids.lamp }],
        ['create', { product_id: shop.ids.lamp, name: 'Lamp, red', price_unit: '80', tax_ids: [['set', []]] }],
        ['create', { name: 'Delivery', price_unit: '25' }],
        ['create', { line_type: 'note', name: 'Thank you' }],
      ],
    });
    expect(await lines(id, ['name', 'price_unit', 'tax_ids', 'price_total'])).toMatchObject([
      { name: 'Lamp', price_unit: '89.95', tax_ids: [shop.ids.vatInside], price_total: '89.95' },
      { name: 'Lamp, red', price_unit: '80', tax_ids: [], price_total: '80' },
      { name: 'Delivery', price_unit: '25', tax_ids: [shop.ids.vatInside], price_total: '25' },
      { name: 'Thank you', tax_ids: [] },
    ]);
    await shop.run((env) => env.model('core.company').write([shop.admin.companyId as number], { sale_tax_id: null }));
  });

  it('SAL-3 customers who pay no tax get none', async () => {
    const partner_id = await shop.run((env) =>
      env.model('core.partner').create({ name: 'Zürich Büro AG', tax_exempt: true, payment_days: 14 }),
    );
    const id = await makeOrder(shop, { partner_id });
    expect(await look(id, ['amount_tax', 'payment_days'])).toMatchObject({ amount_tax: '0', payment_days: 14 });
  });

  it('SAL-4 prices follow the price list of the customer, by quantity and unit', async () => {
    const partner_id = await shop.run((env) =>
      env.model('core.partner').create({ name: 'Grossist', pricelist_id: shop.ids.wholesale }),
    );
    const id = await makeOrder(shop, {
      partner_id,
      line_ids: [
        ['create', { product_id: shop.ids.lamp, quantity: 11 }],
        ['create', { product_id: shop.ids.lamp, quantity: 12 }],
        ['create', { product_id: shop.ids.lamp, uom_id: shop.ids.dozen }],
      ],
    });
    expect((await lines(id, ['price_unit'])).map((line) => line.price_unit)).toEqual(['89.95', '80.955', '971.46']);
  });

  it('SAL-5 a thousand orders are made with a constant number of statements', async () => {
    const count = async (size: number) => {
      const values = Array.from({ length: size }, () => ({
        partner_id: shop.ids.customer,
        line_ids: [['create', { product_id: shop.ids.desk }] as const],
      }));
      return shop.run(async (env) => {
        const before = env.db.statements;
        await env.model('sale.order').createMany(values);
        return env.db.statements - before;
      });
    };
    // Reads the taxes, units and currencies that stay in memory.
    await count(1);
    const few = await count(2);
    expect(await count(50)).toBe(few);
  });
});

describe('amounts', () => {
  it('SAL-6 untaxed, tax, total and margin follow the lines, exactly', async () => {
    const id = await makeOrder(shop, {
      line_ids: [
        ['create', { product_id: shop.ids.desk, quantity: 3, discount: 5 }],
        ['create', { product_id: shop.ids.lamp, quantity: '0.1', tax_ids: [['set', [shop.ids.vatInside]]] }],
      ],
    });
    const fields = ['amount_untaxed', 'amount_tax', 'amount_total', 'margin', 'margin_percent', 'line_count'];
    expect(await look(id, fields)).toMatchObject({
      amount_untaxed: '946.06',
      amount_tax: '178.74',
      amount_total: '1124.8',
      margin: '429.44',
      margin_percent: '45.39',
      line_count: 2,
    });
    const [first] = await lines(id, ['id']);
    await shop.run((env) => env.model('sale.order.line').unlink([first?.id as number]), shop.seller);
    expect(await look(id, fields)).toMatchObject({ amount_untaxed: '8.41', amount_total: '9', line_count: 1 });
  });

  it('SAL-27 turnover and margin are in the currency of the company, so that orders in several add up', async () => {
    const pricelist_id = await shop.run(async (env) =>
      env.model('product.pricelist').create({ name: 'GBP', currency_id: await env.ref('base.GBP'), rate: '0.8' }),
    );
    const abroad = await makeOrder(shop, { pricelist_id });
    const home = await makeOrder(shop);
    expect(await look(abroad, ['amount_untaxed', 'turnover'])).toMatchObject({
      amount_untaxed: '263.2',
      turnover: '329',
    });
    const [sum] = await shop.run((env) =>
      env.model('sale.order').readGroup({
        domain: [['id', 'in', [abroad, home]]],
        groupby: [],
        fields: [
          { name: 'turnover', field: 'turnover', measure: 'sum' },
          { name: 'margin', field: 'margin_in_company', measure: 'sum' },
        ],
      }),
    );
    expect(JSON.parse(JSON.stringify(sum))).toMatchObject({ turnover: '658', margin: '316' });
    const free = shop.run((env) => env.model('product.pricelist').write([pricelist_id], { rate: 0 }));
    await expect(free).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { rate: ['The rate must be more than 0.'] } },
    });
  });

  it('SAL-36 a price that somebody entered stays when quantity or date change, until the product does or prices are updated', async () => {
    const id = await makeOrder(shop, { pricelist_id: shop.ids.wholesale });
    const price = async () => {
      const [line] = await lines(id, ['price_unit', 'is_price_kept']);
      return [line?.price_unit, line?.is_price_kept];
    };
    const [line] = await lines(id, ['id']);
    const write = (values: object) =>
      shop.run((env) => env.model('sale.order.line').write([line?.id as number], values as never), shop.seller);
    await write({ quantity: 12 });
    expect(await price()).toEqual(['296.1', false]);
    await write({ price_unit: '290' });
    expect(await price()).toEqual(['290', true]);
    await write({ quantity: 1 });
    await shop.run((env) => env.model('sale.order').write([id], { date_order: '2026-03-01T10:00:00Z' }), shop.seller);
    expect(await price()).toEqual(['290', true]);
    await shop.run((env) => env.model('sale.order').call([id], 'update_prices'), shop.seller);
    expect(await price()).toEqual(['329', false]);
    await write({ price_unit: '300' });
    await write({ product_id: shop.ids.lamp });
    expect(await price()).toEqual(['89.95', false]);
  });

  it('SAL-36 a price that is typed into a form stays as well', async () => {
    const { value } = await shop.work(
      (env) =>
        env
          .model('sale.order.line')
          .onchange(
            { product_id: shop.ids.desk, price_unit: '300', order_id: { pricelist_id: shop.ids.wholesale } } as never,
            ['price_unit'],
          ),
      shop.seller,
    );
    expect(value).toMatchObject({ is_price_kept: true });
    const more = await shop.work(
      (env) =>
        env.model('sale.order.line').onchange(
          {
            ...{ product_id: shop.ids.desk, price_unit: '300', is_price_kept: true, quantity: 12 },
            order_id: { pricelist_id: shop.ids.wholesale },
          } as never,
          ['quantity'],
        ),
      shop.seller,
    );
    expect(more.value).not.toHaveProperty('price_unit');
  });

  it('SAL-6 a change of lines is counted in the same number of statements, however many they are', async () => {
    const count = async (size: number) => {
      const line_ids = Array.from({ length: size }, () => ['create', { product_id: shop.ids.desk }]);
      const id = await makeOrder(shop, { line_ids });
      const own = (await lines(id, ['id'])).map((line) => line.id as number);
      const sent = await shop.run(async (env) => {
        const before = env.db.statements;
        await env.model('sale.order.line').write(own, { quantity: 7 });
        return env.db.statements - before;
      });
      expect(await look(id, ['amount_untaxed'])).toMatchObject({ amount_untaxed: String(2303 * size) });
      return sent;
    };
    // Reads the currencies and units that stay in memory.
    await count(1);
    const one = await count(1);
    expect(await count(40)).toBe(one);
    expect(one).toBeLessThanOrEqual(18);
  });

  it('SAL-7 cost and margin are for managers', async () => {
    const id = await makeOrder(shop);
    expect(await look(id, ['margin'], shop.manager)).toMatchObject({ margin: '158' });
    await expect(look(id, ['margin'], shop.seller)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const [seen] = await shop.run((env) => env.model('sale.order').read([id]), shop.seller);
    expect(seen).not.toHaveProperty('margin');
    const [line] = await lines(id, ['id']);
    const change = shop.run(
      (env) => env.model('sale.order.line').write([line?.id as number], { unit_cost: '1' }),
      shop.seller,
    );
    expect(await refusal(change)).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('SAL-7 another product on a line has another cost, whoever chooses it', async () => {
    const id = await makeOrder(shop);
    const [line] = await lines(id, ['id']);
    await shop.run(
      (env) => env.model('sale.order.line').write([line?.id as number], { product_id: shop.ids.lamp }),
      shop.seller,
    );
    expect(await lines(id, ['unit_cost'])).toMatchObject([{ unit_cost: '36.2' }]);
  });

  it('SAL-8 units must measure the product, quantities count', async () => {
    const kg = await shop.run((env) => env.ref('product.uom_kg'));
    const make = (values: object) =>
      makeOrder(shop, { line_ids: [['create', { product_id: shop.ids.desk, ...values }]] });
    expect(await refusal(make({ uom_id: kg }))).toMatchObject({
      details: { fields: { uom_id: ['The product is not measured in this kind of unit.'] } },
    });
    expect(await refusal(make({ quantity: 0 }))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refusal(make({ discount: 101 }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('forms', () => {
  const ask = (model: 'sale.order' | 'sale.order.line', values: object, changed: readonly string[]) =>
    shop.work(async (env) => {
      const answer = await env.model(model).onchange(values as never, changed);
      return JSON.parse(JSON.stringify(answer)) as { value: Record<string, unknown>; warning?: unknown };
    }, shop.seller);

  it('SAL-9 a customer brings price list, days to pay and terms', async () => {
    const partner_id = await shop.run((env) =>
      env.model('core.partner').create({ name: 'Ada', pricelist_id: shop.ids.wholesale, payment_days: 21 }),
    );
    expect((await ask('sale.order', { partner_id }, ['partner_id'])).value).toMatchObject({
      pricelist_id: shop.ids.wholesale,
      payment_days: 21,
    });
  });

  it('SAL-9 a product brings the rest of its line, by the order around it', async () => {
    const { lamp, wholesale, vat, customer } = shop.ids;
    const line = { product_id: lamp, quantity: 12 };
    const order = { pricelist_id: wholesale, partner_id: customer, company_id: shop.admin.companyId };
    expect((await ask('sale.order.line', { ...line, order_id: order }, ['product_id'])).value).toMatchObject({
      name: 'Lamp',
      price_unit: '80.955',
      price_subtotal: '971.46',
    });
    const { value } = await ask('sale.order.line', { product_id: shop.ids.desk }, ['product_id']);
    expect(value).toMatchObject({ price_unit: '329', tax_ids: [['set', [vat]]], price_total: '391.51' });
    expect(value).not.toHaveProperty('unit_cost');
  });

  it('SAL-9 quantity and unit change the price where a list says so', async () => {
    const order_id = { pricelist_id: shop.ids.wholesale };
    const line = { product_id: shop.ids.lamp, uom_id: shop.ids.piece, price_unit: '89.95', order_id };
    expect((await ask('sale.order.line', { ...line, quantity: 20 }, ['quantity'])).value).toMatchObject({
      price_unit: '80.955',
    });
    expect((await ask('sale.order.line', { ...line, uom_id: shop.ids.dozen }, ['uom_id'])).value).toMatchObject({
      price_unit: '971.46',
    });
  });

  it('SAL-9 another price list warns that lines keep their prices', async () => {
    const line_ids = [['create', { product_id: shop.ids.lamp }]];
    const answer = await ask('sale.order', { line_ids, pricelist_id: shop.ids.wholesale }, ['pricelist_id']);
    expect(answer.warning).toMatchObject({ title: 'Prices stay as they are' });
  });
});
