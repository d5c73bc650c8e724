import type { Decimal, Draft } from '@kontor/addon';

/** What an amount is converted by: a list says what one unit of the company's currency is worth in its own. */
export const ratePaths = ['order_id.pricelist_id.rate', 'order_id.company_id.currency_id.decimal_places'] as const;

export function inCompany(
  amount: Decimal,
  { order_id: order }: Draft<'sale.order.line', (typeof ratePaths)[number]>,
): Decimal {
  const rate = order?.pricelist_id?.rate;
  // A rate that the list refuses is worked with before it is refused.
  const converted = rate?.gt(0) ? amount.div(rate) : amount;
  return converted.round(order?.company_id?.currency_id?.decimal_places ?? 2);
}
