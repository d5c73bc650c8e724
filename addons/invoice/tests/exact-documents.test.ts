import { Decimal } from '@kontor/addon';
import { isLong, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, openDesk } from './desk.ts';
import { decimal, exactly, fraction, inUnits, rounded } from './exact.ts';

/** Taxes as they are kept: percentages in ten-thousandths, some of them included in prices. */
const kept = [
  { percent: 190_000, price_included: false },
  { percent: 70_000, price_included: false },
  { percent: 99_750, price_included: false },
  { percent: 190_000, price_included: true },
  { percent: 55_000, price_included: true },
  { percent: 0, price_included: false },
] as const;
const currencies = { JPY: 0, EUR: 2, KWD: 3 } as const;
type Currency = keyof typeof currencies;

let desk: Desk;
const ids = { taxes: [] as number[], currency: {} as Record<Currency, number> };
beforeAll(async () => {
  desk = await openDesk();
  await desk.run(async (env) => {
    for (const [at, { percent, price_included }] of kept.entries()) {
      const values = { name: `Tax ${at}`, percent: decimal(percent, 4), price_included };
      ids.taxes.push(await env.model('sale.tax').create(values));
    }
    for (const name of Object.keys(currencies) as Currency[]) {
      const [id = 0] = await env.model('core.currency').search([['name', '=', name]]);
      await env.model('core.currency').write([id], { rate: '1' });
      ids.currency[name] = id;
    }
  });
});
afterAll(() => desk.close());

const line = fc.record({
  quantity: fc.integer({ min: -5_000, max: 99_999 }).filter((quantity) => quantity !== 0),
  price: fc.integer({ min: 0, max: 99_999_999 }),
  discount: fc.integer({ min: 0, max: 10_000 }),
  taxes: fc.uniqueArray(fc.nat({ max: kept.length - 1 }), { maxLength: 3 }),
});
const document = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  currency: fc.constantFrom<Currency>('JPY', 'EUR', 'EUR', 'KWD'),
  rounding: fc.constantFrom('line', 'document'),
});
type Given = typeof document extends fc.Arbitrary<infer Value> ? Value : never;

/** What the document comes to, in units of the currency's last decimal. */
function expected({ lines, currency, rounding }: Given) {
  const places = currencies[currency];
  const amounts = lines.map((each) =>
    exactly(
      { ...each, taxes: [...each.taxes].sort((a, b) => a - b).map((id) => ({ id, ...kept[id] })) as never },
      places,
    ),
  );
  const untaxed = amounts.reduce((sum, each) => sum + each.untaxed, 0n);
  const tax = kept.reduce((sum, { percent, price_included: isInside }, id) => {
    const charged = amounts.filter((each) => each.amounts.has(id));
    const parts = charged.reduce((all, each) => all + (each.amounts.get(id) ?? 0n), 0n);
    const net = charged.reduce((all, each) => all + each.untaxed, 0n);
    const whole = rounded(fraction(net * BigInt(percent), 1_000_000n * 10n ** BigInt(places)), places);
    return sum + (rounding === 'document' && !isInside ? whole : parts);
  }, 0n);
  return { untaxed, tax, total: untaxed + tax };
}

const count = isLong ? 3_000 : 90;
const inBatches = 30;

async function make(given: readonly Given[]): Promise<readonly number[]> {
  return desk.run((env) =>
    env.model('invoice.invoice').createMany(
      given.map(({ lines, currency, rounding }) => ({
        ...{ partner_id: desk.ids.customer, tax_treatment: 'normal', tax_position_id: null },
        ...{ currency_id: ids.currency[currency], tax_rounding: rounding },
        line_ids: lines.map(({ quantity, price, discount, taxes }) => [
          'create',
          {
            ...{
              name: 'Work',
              quantity: decimal(quantity, 3),
              price_unit: decimal(price, 4),
              discount: decimal(discount, 2),
            },
            tax_ids: [['set', taxes.map((at) => ids.taxes[at])]],
          },
        ]),
      })) as never,
    ),
  );
}

const sumsOf = (invoices: readonly number[]) =>
  desk.run((env) =>
    env
      .model('invoice.invoice')
      .load(invoices, [
        'amount_untaxed',
        'amount_tax',
        'amount_total',
        'line_ids.quantity',
        'line_ids.price_unit',
        'line_ids.discount',
        'line_ids.price_subtotal',
      ]),
  );

it(`INV-66 ${count} stored invoices have the amounts of exact arithmetic: taxes included and excluded, several on a line, rounded per line and per document, in reverse charge`, async () => {
  const given = fc.sample(document, { numRuns: count, seed: testSeed });
  for (let from = 0; from < count; from += inBatches) {
    const batch = given.slice(from, from + inBatches);
    const invoices = await make(batch);
    for (const [at, row] of (await sumsOf(invoices)).entries()) {
      const places = currencies[(batch[at] as Given).currency];
      const found = [row.amount_untaxed, row.amount_tax, row.amount_total].map((amount) => inUnits(amount, places));
      const { untaxed, tax, total } = expected(batch[at] as Given);
      expect(found, JSON.stringify(batch[at])).toEqual([untaxed, tax, total]);
    }
    await desk.run((env) => env.model('invoice.invoice').write(invoices, { tax_treatment: 'reverse' }));
    for (const [at, row] of (await sumsOf(invoices)).entries()) checkReverse(batch[at] as Given, row);
  }
}, 600_000);

type Sums = Awaited<ReturnType<typeof sumsOf>>[number];

/** No tax is charged, and prices that included one are net. */
function checkReverse({ lines, currency }: Given, row: Sums): void {
  const places = currencies[currency];
  expect(row.amount_tax.eq(0)).toBe(true);
  expect(row.amount_total.eq(row.amount_untaxed)).toBe(true);
  const nets = row.line_ids.map(({ quantity, price_unit: price, discount }) =>
    rounded(fraction(inUnits(quantity, 3) * inUnits(price, 4) * (10_000n - inUnits(discount, 2)), 10n ** 11n), places),
  );
  expect(row.line_ids.map((each) => inUnits(each.price_subtotal, places))).toEqual(nets);
  expect(inUnits(row.amount_untaxed, places)).toBe(nets.reduce((sum, net) => sum + net, 0n));
  for (const [at, { price, taxes }] of lines.entries()) {
    const share = taxes.reduce((sum, id) => sum + (kept[id]?.price_included ? kept[id].percent : 0), 0);
    const net = rounded(fraction(BigInt(price) * 1_000_000n, (1_000_000n + BigInt(share)) * 10_000n), 4);
    expect(inUnits(row.line_ids[at]?.price_unit ?? new Decimal(-1), 4)).toBe(net);
  }
}
