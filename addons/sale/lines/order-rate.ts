import { rateOn, ratePaths } from '@addons/base';
import { conversionRate } from '@addons/product';
import { type Decimal, type Draft, dateIn, withPrefix } from '@kontor/addon';

/** The paths that the rate of an order depends on. */
export const orderRatePaths = [
  'date_order',
  'pricelist_id.rate',
  ...withPrefix('pricelist_id.currency_id', ratePaths),
  ...withPrefix('company_id.currency_id', ratePaths),
] as const;

interface Clock {
  readonly tz: string;
  readonly today: string;
}
type Order = Draft<'sale.order', (typeof orderRatePaths)[number]>;

/** What one unit of the company's currency is worth in that of the order on its day; null: nobody said. */
export function orderRate(order: Order, clock: Clock): Decimal | null {
  return rateOfList(order, order.date_order ? dateIn(clock.tz, order.date_order) : clock.today);
}

/** What one euro is worth in the currency of the order on its day; null: nobody said. */
export function euroRate(
  { date_order: date, pricelist_id: list, company_id: company }: Order,
  clock: Clock,
): Decimal | null {
  const currency = list?.currency_id ?? company?.currency_id;
  return currency ? rateOn(currency, date ? dateIn(clock.tz, date) : clock.today).rate : null;
}

export function rateOfList(
  { pricelist_id: list, company_id: company }: Pick<Order, 'pricelist_id' | 'company_id'>,
  day: string,
) {
  const home = company?.currency_id ?? null;
  const from = home && rateOn(home, day);
  const to = list?.currency_id ? rateOn(list.currency_id, day) : from;
  return conversionRate({ from, company: from, to, pricelist: list });
}
