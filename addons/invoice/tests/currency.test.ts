import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, look, openDesk, refusal } from './desk.ts';

let desk: Desk;
const currencies: Record<string, number> = {};
beforeAll(async () => {
  desk = await openDesk();
  for (const code of ['CHF', 'USD', 'GBP']) currencies[code] = await desk.run((env) => env.ref(`base.${code}`));
  const home = currencies.USD as number;
  await desk.run(async (env) => {
    await env.model('core.currency').write([currencies.CHF as number], { rate: '0.95' });
    await env.model('core.currency').write([home], { rate: '1' });
    await env.model('core.currency').write([currencies.GBP as number], { rate: null });
  });
});
afterAll(() => desk.close());

const draft = (values: object = {}) =>
  desk.run(
    (env) =>
      env.model('invoice.invoice').create({
        partner_id: desk.ids.customer,
        line_ids: [
          ['create', { product_id: desk.ids.desk }],
          ['create', { name: 'By hand', price_unit: '100' }],
        ],
        ...values,
      } as never),
    desk.clerk,
  );
const write = (id: number, values: object) =>
  desk.run((env) => env.model('invoice.invoice').write([id], values as never), desk.clerk);
const prices = async (id: number) =>
  (
    await desk.run((env) =>
      env.model('invoice.line').searchRead([['invoice_id', '=', id]], ['price_unit'], { order: 'sequence, id' }),
    )
  ).map(({ price_unit: price }) => String(price));

describe('ADM-2 prices of drafts', () => {
  it('ADM-2 are converted when the currency changes, and back', async () => {
    const id = await draft();
    expect(await prices(id)).toEqual(['329', '100']);
    await write(id, { currency_id: currencies.CHF });
    expect(await prices(id)).toEqual(['312.55', '95']);
    expect(await look(desk, 'invoice.invoice', id, 'amount_untaxed')).toMatchObject({ amount_untaxed: '407.55' });
  });

  it('ADM-2 are refused without a rate, and taken where somebody enters them with the currency', async () => {
    const id = await draft();
    expect(await refusal(write(id, { currency_id: currencies.GBP }))).toMatchObject({
      code: 'USER_ERROR',
      message: expect.stringContaining('no rate to GBP is known'),
    });
    const lines = await desk.run((env) => env.model('invoice.line').search([['invoice_id', '=', id]]));
    await write(id, {
      currency_id: currencies.GBP,
      line_ids: lines.map((line) => ['update', line, { price_unit: '360' }]),
    });
    expect(await prices(id)).toEqual(['360', '360']);
    const [product] = lines;
    const other = [['update', product, { product_id: desk.ids.lamp }]];
    expect(await refusal(write(id, { line_ids: other }))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await prices(id)).toEqual(['360', '360']);
  });

  it('ADM-2 of several drafts, and of lines that come from an order, stay in their currency', async () => {
    const two = [await draft(), await draft()];
    const both = desk.run(
      (env) => env.model('invoice.invoice').write(two, { currency_id: currencies.CHF as number }),
      desk.clerk,
    );
    expect(await refusal(both)).toMatchObject({ message: 'Choose another currency for one record at a time.' });
    const invoice = await desk.run(async (env) => {
      const order = await env.model('sale.order').create({
        partner_id: desk.ids.customer,
        line_ids: [['create', { product_id: desk.ids.desk }]],
      });
      await env.model('sale.order').call([order], 'confirm');
      const answer = await env.model('sale.order').call([order], 'create_invoices', { method: 'ordered' });
      return Number(new URL((answer as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    });
    expect(await refusal(write(invoice, { currency_id: currencies.CHF }))).toMatchObject({
      message: expect.stringContaining('come from an order'),
    });
  });

  it('ADM-2 of products and price lists are converted as well', async () => {
    const [product, list, item] = await desk.run(async (env) => {
      const product = await env
        .model('product.product')
        .create({ name: 'Stool', uom_id: await env.ref('product.uom_unit'), list_price: '100', cost: '40' });
      const list = await env.model('product.pricelist').create({ name: 'Regulars' });
      const item = await env
        .model('product.pricelist.item')
        .create({ pricelist_id: list, method: 'fixed', fixed_price: '80' });
      return [product, list, item] as const;
    });
    await desk.run(async (env) => {
      await env.model('product.product').write([product], { currency_id: currencies.CHF as number });
      await env.model('product.pricelist').write([list], { currency_id: currencies.CHF as number });
    });
    expect(await look(desk, 'product.product', product, 'list_price', 'cost')).toMatchObject({
      ...{ list_price: '95', cost: '38' },
    });
    expect(await look(desk, 'product.pricelist.item', item, 'fixed_price')).toMatchObject({ fixed_price: '76' });
    const given = { currency_id: currencies.GBP as number, list_price: '120', cost: '50' };
    await desk.run((env) => env.model('product.product').write([product], given));
    expect(await look(desk, 'product.product', product, 'list_price')).toMatchObject({ list_price: '120' });
  });
});

describe('an invoice by hand', () => {
  it('INV-49 has the prices of the price list of its customer, in its own currency', async () => {
    const customer = await desk.run(async (env) => {
      const pricelist_id = await env.model('product.pricelist').create({
        name: 'Ten off',
        item_ids: [['create', { method: 'discount', percent: '10' }]],
      } as never);
      return env.model('core.partner').create({ name: 'Regular', pricelist_id });
    });
    expect(await prices(await draft({ partner_id: customer }))).toEqual(['296.1', '100']);
    expect((await prices(await draft({ partner_id: customer, currency_id: currencies.CHF })))[0]).toBe('281.295');
  });
});
