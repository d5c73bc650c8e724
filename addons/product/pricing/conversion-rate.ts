import { Decimal } from '@kontor/addon';

export interface RatedCurrency {
  readonly id: number;
  /** What one euro is worth in it; null: nobody said. */
  readonly rate: Decimal | null;
}
export interface Conversion {
  /** Of the product; none: that of the company. */
  readonly from: RatedCurrency | null;
  /** Of the company that sells. */
  readonly company: RatedCurrency | null;
  /** Of the order. */
  readonly to: RatedCurrency | null;
  /** Its rate converts from the company's currency; without one, the rates of the currencies do. */
  readonly pricelist: { readonly rate: Decimal | null } | null;
}

const one = new Decimal(1);

/**
 * What one unit of a product's currency is worth in that of the order; null where no rate is known, so that no price changes its
 * currency and keeps its digits.
 */
export function conversionRate({ from, company, to, pricelist }: Conversion): Decimal | null {
  const own = from ?? company;
  if (own === null || to === null) return pricelist?.rate ?? one;
  const fixed = pricelist?.rate ?? null;
  const isOfCompany = company === null || own.id === company.id;
  // A rate of 1 between two currencies is the default of a list, not somebody's word.
  if (fixed !== null && isOfCompany && (own.id === to.id || !fixed.eq(one))) return fixed;
  if (own.id === to.id) return one;
  return own.rate && to.rate ? to.rate.div(own.rate) : null;
}

/** What one unit of a currency is worth in another one by their rates; null where one of them has none. */
export function rateBetween(from: RatedCurrency | null, to: RatedCurrency | null): Decimal | null {
  return conversionRate({ from, company: from, to, pricelist: null });
}
