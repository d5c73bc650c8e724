import { Decimal } from '@kontor/addon';
import { type LineAmounts, lineAmounts, type TaxRate } from './line-amounts.ts';

/** What the amounts of a line are made from. */
export const amountPaths = [
  'quantity',
  'price_unit',
  'discount',
  'tax_ids.percent',
  'tax_ids.price_included',
  'order_id.currency_id.decimal_places',
] as const;

interface AmountSource {
  readonly quantity: Decimal | null;
  readonly price_unit: Decimal | null;
  readonly discount: Decimal | null;
  readonly tax_ids: readonly TaxRate[];
  readonly order_id: { readonly currency_id: { readonly decimal_places: number } | null } | null;
}

/** Before an order has a currency, amounts have the decimals that most currencies have. */
const usualPlaces = 2;
const zero = new Decimal(0);

export function amountsOf(line: AmountSource): LineAmounts {
  return lineAmounts({
    quantity: line.quantity ?? zero,
    price: line.price_unit ?? zero,
    discount: line.discount ?? zero,
    taxes: line.tax_ids,
    places: line.order_id?.currency_id?.decimal_places ?? usualPlaces,
  });
}

export function marginOf(line: AmountSource & { readonly unit_cost: Decimal | null }): Decimal {
  return amountsOf(line).untaxed.minus((line.unit_cost ?? zero).times(line.quantity ?? zero));
}
