import { Decimal, sum } from '@kontor/addon';

export interface IncludedTax {
  readonly id: number;
  readonly percent: Decimal | null;
  readonly price_included: boolean | null;
}

/**
 * A price whose line gets other taxes: where a tax that it includes is not charged it becomes net. Between two taxes that are included it
 * stays, for it is what the customer pays.
 */
export function priceBetween(price: Decimal, before: readonly IncludedTax[], now: readonly IncludedTax[]): Decimal {
  return includesTax(before) && !includesTax(now) ? price.div(factorOf(before)).round(4) : price;
}

/** The other way: a net price gets the tax that is charged again. */
export function priceWith(price: Decimal, before: readonly IncludedTax[], now: readonly IncludedTax[]): Decimal {
  return includesTax(now) && !includesTax(before) ? price.times(factorOf(now)).round(4) : price;
}

export function includesTax(taxes: readonly IncludedTax[]): boolean {
  return taxes.some((tax) => tax.price_included);
}

/** What the usual taxes of a price come to in per cent that are in it and that its line does not charge. */
export function leftOut(usual: readonly IncludedTax[], charged: readonly IncludedTax[]): Decimal {
  return includesTax(usual) && !includesTax(charged) ? factorOf(usual).minus(1).times(100) : new Decimal(0);
}

/** A price of a price list on a line that leaves out this tax. */
export function priceWithout(price: Decimal, rate: Decimal | null): Decimal {
  return rate?.gt(0) ? price.div(rate.div(100).plus(1)).round(4) : price;
}

function factorOf(taxes: readonly IncludedTax[]): Decimal {
  const included = taxes.filter((tax) => tax.price_included);
  return sum(included, ({ percent }) => percent ?? new Decimal(0))
    .div(100)
    .plus(1);
}
