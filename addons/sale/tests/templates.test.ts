import { pdfPages } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawQuotation } from '../quotation/draw-quotation.ts';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const look = (id: number) =>
  shop.run(async (env) => {
    const [order] = await env
      .model('sale.order')
      .load(
        [id],
        ['note', 'amount_untaxed', 'amount_total', 'line_ids.name', 'line_ids.line_type', 'line_ids.price_unit'],
      );
    return order;
  });

describe('a template', () => {
  const make = (values: object) =>
    shop.run((env) => env.model('sale.template').create({ name: 'Workplace', ...values }), shop.manager);
  const add = (order: number, template_id: number, actor = shop.seller) =>
    shop.run((env) => env.model('sale.order').call([order], 'apply_template', { template_id }), actor);

  it('SAL-34 adds its lines and terms after those that are there, with prices and taxes as if they were typed', async () => {
    const template = await make({
      note: 'Assembly included.',
      line_ids: [
        ['create', { line_type: 'section', name: 'Workplace' }],
        ['create', { product_id: shop.ids.desk, quantity: 2 }],
        ['create', { product_id: shop.ids.lamp, line_type: 'option' }],
      ],
    });
    const id = await makeOrder(shop, { note: 'By truck.' });
    await add(id, template);
    const order = await look(id);
    expect(order?.note).toBe('By truck.\n\nAssembly included.');
    expect(order?.line_ids.map(({ line_type: kind, price_unit: price }) => `${kind} ${price.toFixed(2)}`)).toEqual([
      'product 329.00',
      'section 0.00',
      'product 329.00',
      'option 89.95',
    ]);
    expect(order?.amount_untaxed.toFixed(2)).toBe('987.00');
    expect(order?.amount_total.toFixed(2)).toBe('1174.53');
  });

  it('SAL-34 without lines is a standard text, is kept by managers, and is not for confirmed orders', async () => {
    const template = await make({ name: 'Delivery', note: 'Nine weeks.' });
    const id = await makeOrder(shop, { note: null });
    await add(id, template);
    expect((await look(id))?.note).toBe('Nine weeks.');
    expect((await refusal(shop.run((env) => env.model('sale.template').create({ name: 'x' }), shop.seller))).code).toBe(
      'ACCESS_DENIED',
    );
    await shop.run((env) => env.model('sale.order').call([id], 'confirm'), shop.seller);
    expect((await refusal(add(id, template))).message).toBe('Only a quotation takes a template.');
  });
});

describe('addresses', () => {
  it('SAL-33 the delivery address is printed, and another customer has others', async () => {
    const [site, other] = await shop.run(async (env) => {
      const partners = env.model('core.partner');
      const values = { name: 'Building site', street: 'Uferweg 3', zip: '88131', city: 'Lindau' };
      return [await partners.create(values), await partners.create({ name: 'Other' })] as const;
    });
    const id = await makeOrder(shop, { delivery_id: site, invoice_address_id: site });
    const { pdf } = await shop.run((env) => drawQuotation(env, id));
    expect(pdfPages(pdf)[0]).toMatch(/Delivery address/);
    for (const words of ['Building site', 'Uferweg 3', '88131 Lindau']) expect(pdfPages(pdf)[0]).toContain(words);
    await shop.run((env) => env.model('sale.order').write([id], { partner_id: other }));
    const [order] = await shop.run((env) => env.model('sale.order').read([id], ['delivery_id', 'invoice_address_id']));
    expect(order).toMatchObject({ delivery_id: null, invoice_address_id: null });
  });
});

describe('prices by date', () => {
  it('SAL-35 are those of the day in the country of the customer', async () => {
    const [tokyo, list] = await shop.run(async (env) => {
      const country_id = await env.ref('base.country_JP');
      const item = { fixed_price: '100', method: 'fixed', date_start: '2030-01-02' } as const;
      return [
        await env.model('core.partner').create({ name: 'Tokyo', country_id }),
        await env.model('product.pricelist').create({ name: 'New year', item_ids: [['create', item]] }),
      ] as const;
    });
    // In Tokyo it is the second of January already.
    const date_order = '2030-01-01T20:00:00Z';
    const price = async (values: object) =>
      (
        await look(await makeOrder(shop, { pricelist_id: list, date_order, ...values }))
      )?.line_ids[0]?.price_unit.toFixed(0);
    expect(await price({})).toBe('329');
    expect(await price({ partner_id: tokyo })).toBe('100');
  });
});
