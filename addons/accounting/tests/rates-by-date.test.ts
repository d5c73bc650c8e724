import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, draft, openBooks, pay, post, postings, refusal } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
  await books.run(async (env) => {
    const rates = await env.model('core.currency.rate').search([['currency_id', '=', books.ids.dollar]]);
    await env.model('core.currency.rate').unlink(rates);
    await env.model('core.currency.rate').createMany([
      { currency_id: books.ids.dollar, date: '2026-01-01', rate: '2' },
      { currency_id: books.ids.dollar, date: '2026-03-01', rate: '1.25' },
      { currency_id: books.ids.dollar, date: '2999-01-01', rate: '9' },
    ]);
  });
});
afterAll(() => books.close());

const rateToday = async () =>
  String((await books.run((env) => env.model('core.currency').read([books.ids.dollar], ['rate'])))[0]?.rate);
const days = async () =>
  (
    await books.run((env) =>
      env.model('core.currency.rate').searchRead([['currency_id', '=', books.ids.dollar]], ['date', 'rate']),
    )
  ).map(({ date, rate }) => `${date} ${rate}`);

describe('exchange rates by date', () => {
  it('CUR-1 the rate of a currency is the one that is valid today; a day has one rate, more than 0', async () => {
    expect(await rateToday()).toBe('1.25');
    const again = { currency_id: books.ids.dollar, date: '2026-03-01', rate: '1' };
    expect(await refusal(books.run((env) => env.model('core.currency.rate').create(again)))).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const none = { currency_id: books.ids.dollar, date: '2026-04-01', rate: '0' };
    expect(await refusal(books.run((env) => env.model('core.currency.rate').create(none)))).toMatchObject({
      details: { fields: { rate: ['The rate must be more than 0.'] } },
    });
    expect(
      await refusal(books.run((env) => env.model('core.currency.rate').create(none), books.manager)),
    ).toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });

  it('CUR-2 documents are converted at the rate of their date; a day before the first rate has the first one', async () => {
    const currency_id = books.ids.dollar;
    const [early, winter, spring] = [
      await post(books, [['100', []]], { currency_id, invoice_date: '2025-12-31' }),
      await post(books, [['100', []]], { currency_id, invoice_date: '2026-02-28' }),
      await post(books, [['100', []]], { currency_id, invoice_date: '2026-03-01' }),
    ];
    expect(await postings(books, 'invoice_id', early)).toEqual(['1400 8200 50.00']);
    expect(await postings(books, 'invoice_id', winter)).toEqual(['1400 8200 50.00']);
    expect(await postings(books, 'invoice_id', spring)).toEqual(['1400 8200 80.00']);
    // Paid at another rate: the difference is booked, and nothing is left on the receivables.
    const payment = await pay(books, winter, { date: '2026-03-15' });
    expect(await postings(books, 'payment_id', payment)).toEqual(['1200 1400 80.00', '1400 2660 30.00']);
  });

  it('CUR-2 a settlement in another currency takes the rates of its date', async () => {
    const invoice = await post(books, [['100', []]], { invoice_date: '2026-02-01' });
    const taken = await books.run(async (env) => {
      const payment_id = await env.model('invoice.payment').create({
        ...{ partner_id: books.ids.customer, currency_id: books.ids.dollar, amount: '500', date: '2026-02-10' },
      });
      const shares = [];
      for (const date of ['2026-02-10', '2026-03-10']) {
        const id = await env
          .model('invoice.allocation')
          .create({ invoice_id: invoice, payment_id, amount: '10', date });
        shares.push(String((await env.model('invoice.allocation').read([id], ['payment_amount']))[0]?.payment_amount));
      }
      return shares;
    }, books.clerk);
    expect(taken).toEqual(['20', '12.5']);
  });

  it('CUR-3 orders have the prices and the turnover of their day, and keep them when rates are added', async () => {
    const order = await books.run(async (env) => {
      const list = await env.model('product.pricelist').create({ name: 'USD', currency_id: books.ids.dollar });
      const product_id = await env.model('product.product').create({
        ...{ name: 'Desk', list_price: '100', uom_id: await env.ref('product.uom_unit') },
      });
      return env.model('sale.order').create({
        ...{ partner_id: books.ids.customer, pricelist_id: list, date_order: '2026-02-10T12:00:00Z' },
        line_ids: [['create', { product_id }]],
      });
    });
    const look = async () => {
      const paths = ['currency_rate', 'amount_untaxed', 'turnover'] as const;
      const [row] = await books.run((env) => env.model('sale.order').read([order], paths));
      return [row?.currency_rate, row?.amount_untaxed, row?.turnover].map(String);
    };
    expect(await look()).toEqual(['2', '200', '100']);
    await books.run((env) =>
      env.model('core.currency.rate').create({ currency_id: books.ids.dollar, date: '2026-02-09', rate: '4' }),
    );
    expect(await look()).toEqual(['2', '200', '100']);
    const moved = books.run((env) => env.model('sale.order').write([order], { date_order: '2026-03-02T12:00:00Z' }));
    await moved;
    expect((await look())[0]).toBe('1.25');
  });

  it('CUR-4 totals in one currency convert each record at the rate of its day', async () => {
    const currency_id = books.ids.dollar;
    const ids = [
      await draft(books, [['100', []]], { currency_id, invoice_date: '2026-01-15' }),
      await draft(books, [['100', []]], { currency_id, invoice_date: '2026-05-15' }),
      await draft(books, [['1', []]], { invoice_date: '2026-05-15' }),
    ];
    const total = async (money: string) => {
      const [row] = await books.run((env) =>
        env.model('invoice.invoice').readGroup({
          ...{ domain: [['id', 'in', ids]], groupby: [], money },
          fields: [{ name: 'total', field: 'amount_total', measure: 'sum' }],
        }),
      );
      return String(row?.total);
    };
    expect(await total('EUR')).toBe('131');
    expect(await total('USD')).toBe('201.25');
  });

  it('CUR-4 the day of a time is that of the company, so two readers in different zones get the same total', async () => {
    const order = await books.run(async (env) => {
      await env.model('core.company').write([books.ids.company], { tz: 'America/New_York' });
      const list = await env.model('product.pricelist').create({ name: 'Zones', currency_id: books.ids.dollar });
      const product_id = await env.model('product.product').create({
        ...{ name: 'Chair', list_price: '100', uom_id: await env.ref('product.uom_unit') },
      });
      // In February in New York and Honolulu, in March in London and Auckland.
      return env.model('sale.order').create({
        ...{ partner_id: books.ids.customer, pricelist_id: list, date_order: '2026-03-01T02:00:00Z' },
        line_ids: [['create', { product_id, price_unit: '100' }]],
      });
    });
    const total = async (tz: string) => {
      const [row] = await books.run(
        (env) =>
          env.model('sale.order').readGroup({
            ...{ domain: [['id', '=', order]], groupby: [], money: 'EUR' },
            fields: [{ name: 'total', field: 'amount_untaxed', measure: 'sum' }],
          }),
        { ...books.admin, tz },
      );
      return String(row?.total);
    };
    expect([await total('Pacific/Auckland'), await total('Pacific/Honolulu')]).toEqual(['25', '25']);
  });

  it('CUR-1 a rate that is written to the currency is its rate from today on; without one it has none on any day', async () => {
    await books.run((env) => env.model('core.currency').write([books.ids.dollar], { rate: '1.5' }));
    expect(await rateToday()).toBe('1.5');
    expect(await days()).toHaveLength(5);
    await books.run((env) => env.model('core.currency').write([books.ids.dollar], { rate: null }));
    expect(await days()).toEqual([]);
    const id = await draft(books, [['10', []]], { currency_id: books.ids.dollar, invoice_date: '2026-02-01' });
    const posting = books.run((env) => env.model('invoice.invoice').call([id], 'post'), books.clerk);
    expect((await refusal(posting)).message).toContain('Enter the rates of USD and EUR first.');
  });
});
