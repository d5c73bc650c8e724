import { Decimal } from '@kontor/addon';

export interface TaxRate {
  readonly id: number;
  readonly percent: Decimal;
  readonly price_included: boolean;
}
export interface PricedLine {
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** Per cent. */
  readonly discount: Decimal;
  readonly taxes: readonly TaxRate[];
  /** Decimals of the currency. */
  readonly places: number;
}
export interface LineAmounts {
  readonly untaxed: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
  /** What each tax comes to; together they are `tax`. */
  readonly taxes: ReadonlyMap<number, Decimal>;
}

const hundred = new Decimal(100);
const zero = new Decimal(0);

/**
 * The amounts of a line, rounded half up to the currency. Taxes that the price includes are taken out of it, so that the
 * total is what the customer was told; the others are added.
 */
export function lineAmounts({ quantity, price, discount, taxes, places }: PricedLine): LineAmounts {
  const given = quantity.times(price).times(hundred.minus(discount)).div(hundred);
  const included = taxes.filter((tax) => tax.price_included);
  const base = given.div(rateOf(included).div(hundred).plus(1));
  const untaxed = base.round(places);
  const amounts = new Map<number, Decimal>();
  for (const tax of taxes) amounts.set(tax.id, base.times(tax.percent).div(hundred).round(places));
  settleRounding(amounts, included, given.round(places).minus(untaxed));
  const tax = [...amounts.values()].reduce((sum, amount) => sum.plus(amount), zero);
  return { untaxed, tax, total: untaxed.plus(tax), taxes: amounts };
}

function rateOf(taxes: readonly TaxRate[]): Decimal {
  return taxes.reduce((sum, tax) => sum.plus(tax.percent), zero);
}

/** Included taxes must come to exactly what the price holds beyond the untaxed amount; the last one takes the cent. */
function settleRounding(amounts: Map<number, Decimal>, included: readonly TaxRate[], expected: Decimal): void {
  const last = included.at(-1);
  if (last === undefined) return;
  const others = included.slice(0, -1).reduce((sum, tax) => sum.plus(amounts.get(tax.id) ?? zero), zero);
  amounts.set(last.id, expected.minus(others));
}
