import { type DatedCurrency, rateOn, ratePaths } from '@addons/base';
import { conversionRate, withPrefix } from '@addons/product';
import { type Decimal, type Draft, dateIn } from '@kontor/addon';

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
interface RatedOrder {
  readonly date_order: string | null;
  readonly pricelist_id: { readonly rate: Decimal | null; readonly currency_id: DatedCurrency | null } | null;
  readonly company_id: { readonly currency_id: unknown } | null;
}

/** What one unit of the company's currency is worth in that of the order on its day; null: nobody said. */
export function orderRate(order: Draft<'sale.order', (typeof orderRatePaths)[number]>, clock: Clock): Decimal | null {
  return rateOfList(order as RatedOrder, order.date_order ? dateIn(clock.tz, order.date_order) : clock.today);
}

/** What one euro is worth in the currency of the order on its day; null: nobody said. */
export function euroRate(order: Draft<'sale.order', (typeof orderRatePaths)[number]>, clock: Clock): Decimal | null {
  const { date_order: date, pricelist_id: list, company_id: company } = order as RatedOrder;
  const currency = list?.currency_id ?? (company?.currency_id as DatedCurrency | null | undefined);
  return currency ? rateOn(currency, date ? dateIn(clock.tz, date) : clock.today).rate : null;
}

export function rateOfList({ pricelist_id: list, company_id: company }: Omit<RatedOrder, 'date_order'>, day: string) {
  const home = (company?.currency_id ?? null) as DatedCurrency | null;
  const from = home && rateOn(home, day);
  const to = list?.currency_id ? rateOn(list.currency_id, day) : from;
  return conversionRate({ from, company: from, to, pricelist: list });
}
