import { Decimal } from '@kontor/addon';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAmounts, type TaxRate } from '../lines/line-amounts.ts';

const d = (value: string | number) => new Decimal(value);
const tax = (id: number, percent: string | number, price_included = false): TaxRate => ({
  id,
  percent: d(percent),
  price_included,
});
const amounts = (values: object) => {
  const line = { quantity: d(1), price: d(100), discount: d(0), taxes: [] as TaxRate[], places: 2, ...values };
  const { untaxed, tax: taxed, total } = lineAmounts(line);
  return [untaxed, taxed, total].map((amount) => amount.toFixed(line.places));
};

describe('amounts of a line', () => {
  it('SAL-1 taxes are added to the price', () => {
    expect(amounts({ taxes: [tax(1, 19)] })).toEqual(['100.00', '19.00', '119.00']);
    expect(amounts({ quantity: d(3), price: d('19.99'), taxes: [tax(1, '7.7')] })).toEqual(['59.97', '4.62', '64.59']);
  });

  it('SAL-1 or taken out of it, so that the total is the price', () => {
    expect(amounts({ price: d(119), taxes: [tax(1, 19, true)] })).toEqual(['100.00', '19.00', '119.00']);
    expect(amounts({ price: d('9.99'), taxes: [tax(1, 7, true)] })).toEqual(['9.34', '0.65', '9.99']);
    expect(amounts({ price: d('10'), taxes: [tax(1, 5, true), tax(2, '9.975', true)] })).toEqual([
      '8.70',
      '1.30',
      '10.00',
    ]);
  });

  it('SAL-1 both kinds on one line', () => {
    expect(amounts({ price: d(107), taxes: [tax(1, 7, true), tax(2, 2)] })).toEqual(['100.00', '9.00', '109.00']);
  });

  it('SAL-1 discounts, returns and currencies without decimals', () => {
    expect(amounts({ discount: d('12.5'), taxes: [tax(1, 19)] })).toEqual(['87.50', '16.63', '104.13']);
    expect(amounts({ quantity: d(-1), taxes: [tax(1, 19)] })).toEqual(['-100.00', '-19.00', '-119.00']);
    expect(amounts({ price: d(1999), places: 0, taxes: [tax(1, 10)] })).toEqual(['1999', '200', '2199']);
  });

  it('SAL-1 the parts always make the whole, and an included tax never changes the price', () => {
    const cents = fc.integer({ min: 1, max: 9_999_999 }).map((n) => d(n).div(100));
    const percent = fc.integer({ min: 0, max: 3000 }).map((n) => d(n).div(100));
    const rates = fc.array(fc.tuple(percent, fc.boolean()), { maxLength: 4 });
    fc.assert(
      fc.property(cents, cents, rates, (price, quantity, given) => {
        const taxes = given.map(([rate, isInside], index) => ({ id: index, percent: rate, price_included: isInside }));
        const result = lineAmounts({ quantity, price, discount: d(0), taxes, places: 2 });
        const parts = [...result.taxes.values()].reduce((sum, part) => sum.plus(part), d(0));
        expect(parts.eq(result.tax)).toBe(true);
        expect(result.untaxed.plus(result.tax).eq(result.total)).toBe(true);
        const isAllInside = taxes.every((each) => each.price_included);
        if (isAllInside) expect(result.total.toFixed(2)).toBe(price.times(quantity).round(2).toFixed(2));
      }),
    );
  });
});
