import type { Env } from '@kontor/addon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, openShop, refusal, type Shop } from './shop.ts';

let shop: Shop;
/** A company in Switzerland, and the shop's administrator working in it. */
let swiss: number;
let there: Shop['admin'];
beforeAll(async () => {
  shop = await openShop();
  swiss = await shop.work(async (env) =>
    env.model('core.company').create({ name: 'Nordlicht Schweiz', country_id: await env.ref('base.country_CH') }),
  );
  there = { ...shop.admin, companyId: swiss, companyIds: [shop.admin.companyId as number, swiss] };
});
afterAll(() => shop.close());

const plain = <T>(value: T) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>[];
const order = (values: object) =>
  shop.run((env) => env.model('sale.order').create({ partner_id: shop.ids.customer, ...values }), there);
const ofDesk = () => order({ line_ids: [['create', { product_id: shop.ids.desk }]] });
const priceOf = async (id: number) => {
  const read = (env: Env) =>
    env
      .sudo()
      .model('sale.order.line')
      .searchRead([['order_id', '=', id]], ['price_unit', 'currency_id.name']);
  const [line] = plain(await shop.run(read, there));
  return [line?.price_unit, line?.['currency_id.name']];
};
const setRates = (rates: Record<string, string | null>) =>
  shop.run(async (env) => {
    for (const [name, rate] of Object.entries(rates))
      await env.model('core.currency').write([await env.ref(`base.${name}`)], { rate });
  });

describe('a second company', () => {
  it('ADM-1 gets currency, time zone and taxes from its country, and its maker may switch to it', async () => {
    const paths = ['currency_id.name', 'currency_id.active', 'tz', 'sale_tax_id.percent'] as const;
    const [company] = plain(await shop.run((env) => env.model('core.company').read([swiss], paths), there));
    expect(company).toMatchObject({
      ...{ 'currency_id.name': 'CHF', 'currency_id.active': true, tz: 'Europe/Zurich', 'sale_tax_id.percent': '8.1' },
    });
    const [maker] = await shop.run((env) => env.model('core.user').read([shop.admin.uid], ['company_ids']));
    expect(maker?.company_ids).toContain(swiss);
  });

  it('ADM-1 gets the taxes of a country that is chosen later, and keeps its currency', async () => {
    const [id, norway] = await shop.run(async (env) => {
      const currency_id = await env.ref('base.EUR');
      return [
        await env.model('core.company').create({ name: 'Later', currency_id }),
        await env.ref('base.country_NO'),
      ] as const;
    });
    await shop.run((env) => env.model('core.company').write([id], { country_id: norway }));
    const paths = ['currency_id.name', 'tz', 'sale_tax_id.percent'] as const;
    expect(plain(await shop.run((env) => env.sudo().model('core.company').read([id], paths)))).toMatchObject([
      { 'currency_id.name': 'EUR', 'sale_tax_id.percent': '25' },
    ]);
  });

  it('ADM-1 fills its form when the country is chosen', async () => {
    const answer = await shop.work(async (env) => {
      const country_id = await env.ref('base.country_CH');
      return env.model('core.company').onchange({ name: 'x', country_id }, ['country_id']);
    });
    const chf = await shop.run((env) => env.ref('base.CHF'));
    expect(answer.value).toMatchObject({ currency_id: chf, tz: 'Europe/Zurich' });
  });
});

describe('prices in another currency', () => {
  it('ADM-2 are refused without a rate, said in the form, and taken where somebody enters them', async () => {
    await setRates({ USD: null, CHF: null });
    expect(await refusal(ofDesk())).toMatchObject({ code: 'VALIDATION_ERROR' });
    const answer = await shop.work((env) => {
      const order_id = { company_id: swiss, partner_id: shop.ids.customer };
      return env.model('sale.order.line').onchange({ product_id: shop.ids.desk, order_id } as never, ['product_id']);
    }, there);
    expect(answer.warning?.message).toContain('The price of Desk is in USD, and no rate to CHF is known.');
    expect(answer.value.price_unit ?? null).toBeNull();
    const typed = await order({ line_ids: [['create', { product_id: shop.ids.desk, price_unit: 300 }]] });
    expect(await priceOf(typed)).toEqual(['300', 'CHF']);
  });

  it('ADM-2 are converted by the rates of both currencies, to what the currency can pay', async () => {
    await setRates({ USD: '1.10', CHF: '0.95' });
    // 329 / 1.10 × 0.95
    expect(await priceOf(await ofDesk())).toEqual(['284.14', 'CHF']);
    expect(await priceOf(await makeOrder(shop))).toEqual(['329', 'USD']);
  });

  it('ADM-2 of an order are converted when it gets a list in another currency', async () => {
    const list = (values: object) =>
      shop.run(async (env) =>
        env.model('product.pricelist').create({ name: 'GBP', currency_id: await env.ref('base.GBP'), ...values }),
      );
    const id = await makeOrder(shop, {
      line_ids: [
        ['create', { product_id: shop.ids.desk }],
        ['create', { name: 'Carried upstairs', price_unit: 50 }],
      ],
    });
    const write = (ids: readonly number[], values: object) =>
      shop.run((env) => env.model('sale.order').write(ids, values as never));
    expect(await refusal(write([id], { pricelist_id: await list({}) }))).toMatchObject({
      message: expect.stringContaining('Set its rate first'),
    });
    await write([id], { pricelist_id: await list({ rate: '0.8' }) });
    const prices = async () =>
      plain(
        await shop.run((env) =>
          env.model('sale.order.line').searchRead([['order_id', '=', id]], ['price_unit'], { order: 'id' }),
        ),
      ).map((line) => line.price_unit);
    expect(await prices()).toEqual(['263.2', '40']);
    const [row] = plain(await shop.run((env) => env.model('sale.order').read([id], ['turnover', 'currency_id.name'])));
    expect(row).toMatchObject({ turnover: '379', 'currency_id.name': 'GBP' });
    await write([id], { pricelist_id: null });
    expect(await prices()).toEqual(['329', '50']);
    const two = [id, await makeOrder(shop)];
    expect(await refusal(write(two, { pricelist_id: await list({ rate: '0.7' }) }))).toMatchObject({
      code: 'USER_ERROR',
    });
  });

  it('ADM-2 stay while a quotation that is not saved gets such a list', async () => {
    const pricelist_id = await shop.run(async (env) =>
      env.model('product.pricelist').create({ name: 'EUR', currency_id: await env.ref('base.EUR'), rate: '0.9' }),
    );
    const line_ids = [['create', { product_id: shop.ids.lamp, price_unit: '89.95' }]];
    const answer = await shop.work(
      (env) => env.model('sale.order').onchange({ line_ids, pricelist_id } as never, ['pricelist_id']),
      shop.seller,
    );
    expect(answer).toMatchObject({
      value: { pricelist_id: null },
      warning: { title: expect.stringContaining('currency') },
    });
  });

  it('ADM-3 a company with amounts keeps its currency', async () => {
    const euro = await shop.run((env) => env.ref('base.EUR'));
    const change = shop.run((env) => env.model('core.company').write([swiss], { currency_id: euro }));
    expect(await refusal(change)).toMatchObject({
      code: 'USER_ERROR',
      message: expect.stringMatching(/^Nordlicht Schweiz has amounts in CHF \(.*Order line.*\)/),
    });
    const empty = await shop.run((env) => env.model('core.company').create({ name: 'Empty', currency_id: euro }));
    const dollar = await shop.run((env) => env.ref('base.USD'));
    await shop.run((env) => env.model('core.company').write([empty], { currency_id: dollar }));
  });
});
