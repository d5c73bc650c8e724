import { Decimal } from '@kontor/addon';
import fc from 'fast-check';

/** A fraction of whole numbers: nothing is rounded but by `rounded`. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}
export const fraction = (top: bigint, bottom = 1n): Fraction => ({ top, bottom });
const times = (a: Fraction, b: Fraction) => fraction(a.top * b.top, a.bottom * b.bottom);
const over = (a: Fraction, b: Fraction) => fraction(a.top * b.bottom, a.bottom * b.top);
/** Half away from zero, in units of the last decimal. */
export const rounded = ({ top, bottom }: Fraction, places: number): bigint => {
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
export const line = fc.record({
  quantity: fc.integer({ min: -50_000, max: 9_999_999 }),
  price: fc.integer({ min: 0, max: 999_999_999 }),
  discount: fc.integer({ min: 0, max: 10_000 }),
  taxes,
});
type Line = typeof line extends fc.Arbitrary<infer Value> ? Value : never;

export const decimal = (units: number, scale: number) => new Decimal(units).div(10 ** scale);
export const asLine = ({ quantity, price, discount, taxes: rates }: Line) => ({
  quantity: decimal(quantity, 3),
  price_unit: decimal(price, 4),
  discount: decimal(discount, 2),
  tax_ids: rates.map((rate) => ({ ...rate, percent: decimal(rate.percent, 4), name: `Tax ${rate.id}` })),
});

/** What a line comes to, in units of the currency's last decimal. */
export function exactly({ quantity, price, discount, taxes: rates }: Line, places: number) {
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

export const inUnits = (amount: Decimal, places: number) => BigInt(amount.times(10 ** places).toFixed(0));
