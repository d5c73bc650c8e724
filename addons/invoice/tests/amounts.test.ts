import { amountsIn, taxSums } from '@addons/sale';
import { Decimal } from '@kontor/addon';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** A fraction of whole numbers: nothing is rounded but by `rounded`. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}
const fraction = (top: bigint, bottom = 1n): Fraction => ({ top, bottom });
const times = (a: Fraction, b: Fraction) => fraction(a.top * b.top, a.bottom * b.bottom);
const over = (a: Fraction, b: Fraction) => fraction(a.top * b.bottom, a.bottom * b.top);
/** Half away from zero, in units of the last decimal. */
const rounded = ({ top, bottom }: Fraction, places: number): bigint => {
  const scaled = (top < 0n ? -top : top) * 10n ** BigInt(places);
  const whole = (2n * scaled + bottom) / (2n * bottom);
  return top < 0n ? -whole : whole;
};

const taxes = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 4 }),
    percent: fc.integer({ min: 0, max: 300_000 }),
    price_included: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 3 },
);
const line = fc.record({
  quantity: fc.integer({ min: -50_000, max: 9_999_999 }),
  price: fc.integer({ min: 0, max: 999_999_999 }),
  discount: fc.integer({ min: 0, max: 10_000 }),
  taxes,
});
type Line = typeof line extends fc.Arbitrary<infer Value> ? Value : never;

const decimal = (units: number, scale: number) => new Decimal(units).div(10 ** scale);
const asLine = ({ quantity, price, discount, taxes: rates }: Line) => ({
  quantity: decimal(quantity, 3),
  price_unit: decimal(price, 4),
  discount: decimal(discount, 2),
  tax_ids: rates.map((rate) => ({ ...rate, percent: decimal(rate.percent, 4), name: `Tax ${rate.id}` })),
});

/** What a line comes to, in units of the currency's last decimal. */
function exactly({ quantity, price, discount, taxes: rates }: Line, places: number) {
  const given = fraction(BigInt(quantity) * BigInt(price) * BigInt(10_000 - discount), 10_000_000n * 10_000n);
  const inside = rates.filter((rate) => rate.price_included);
  const share = inside.reduce((sum, rate) => sum + BigInt(rate.percent), 0n);
  const base = over(given, fraction(1_000_000n + share, 1_000_000n));
  const untaxed = rounded(base, places);
  const amounts = new Map(
    rates.map((rate) => [rate.id, rounded(times(base, fraction(BigInt(rate.percent), 1_000_000n)), places)]),
  );
  const last = inside.at(-1);
  if (last) {
    const others = inside.slice(0, -1).reduce((sum, rate) => sum + (amounts.get(rate.id) ?? 0n), 0n);
    amounts.set(last.id, rounded(given, places) - untaxed - others);
  }
  return { untaxed, amounts };
}

const inUnits = (amount: Decimal, places: number) => BigInt(amount.times(10 ** places).toFixed(0));

it('INV-2 lines, taxes and totals are those of exact arithmetic, in every currency', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(0, 2, 3), (lines, places) => {
      const currency = { decimal_places: places };
      const expected = lines.map((each) => exactly(each, places));
      const found = lines.map((each) => amountsIn(asLine(each), currency));
      expect(found.map(({ untaxed }) => inUnits(untaxed, places))).toEqual(expected.map(({ untaxed }) => untaxed));
      const sums = taxSums(lines.map(asLine), currency);
      for (const { id, base, amount } of sums) {
        const charged = expected.filter(({ amounts }) => amounts.has(id));
        expect(inUnits(amount, places)).toBe(charged.reduce((sum, each) => sum + (each.amounts.get(id) ?? 0n), 0n));
        expect(inUnits(base, places)).toBe(charged.reduce((sum, each) => sum + each.untaxed, 0n));
      }
      const total = found.reduce((sum, each) => sum.plus(each.total), new Decimal(0));
      const parts = found.reduce((sum, each) => sum.plus(each.untaxed), new Decimal(0));
      expect(sums.reduce((sum, tax) => sum.plus(tax.amount), parts).eq(total)).toBe(true);
    }),
  );
});

it('INV-58 rounded once for each tax, the tax is that of the sum of the net amounts; an included one is what prices contain', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(0, 2, 3), (given, places) => {
      const currency = { decimal_places: places };
      // A tax is included or not wherever it is charged.
      const inside = new Map(
        given.flatMap((each) => each.taxes.map(({ id, price_included: is }) => [id, is] as const)),
      );
      const percents = new Map(given.flatMap((each) => each.taxes.map(({ id, percent }) => [id, percent] as const)));
      const lines = given.map((each) => ({
        ...each,
        taxes: each.taxes.map(({ id }) => ({
          ...{ id, percent: percents.get(id) as number, price_included: inside.get(id) as boolean },
        })),
      }));
      const expected = lines.map((each) => exactly(each, places));
      for (const { id, base, amount } of taxSums(lines.map(asLine), currency, 'document')) {
        const charged = expected.filter(({ amounts }) => amounts.has(id));
        const net = charged.reduce((sum, each) => sum + each.untaxed, 0n);
        expect(inUnits(base, places)).toBe(net);
        const whole = rounded(
          fraction(net * BigInt(percents.get(id) as number), 1_000_000n * 10n ** BigInt(places)),
          places,
        );
        const parts = charged.reduce((sum, each) => sum + (each.amounts.get(id) ?? 0n), 0n);
        expect(inUnits(amount, places)).toBe(inside.get(id) ? parts : whole);
      }
    }),
  );
});
