import { ratePaths, withLines } from '@addons/base';
import { type Decimal, dateIn, UserError, type WriteCall, withPrefix } from '@kontor/addon';
import { rateOfList } from './order-rate.ts';

const ratedPaths = ['decimal_places', ...ratePaths] as const;

/**
 * Converts the prices of an order that gets a price list in another currency: 329 EUR must not become 329 CHF. Prices that the
 * same write gives are in the new currency already.
 */
export async function convertPrices({ env, ids, values }: WriteCall<'sale.order'>): Promise<Values> {
  const server = env.sudo();
  const orders = await server
    .model('sale.order')
    .load(ids, [
      ...([
        'currency_id',
        'currency_rate',
        'date_order',
        'line_ids.price_unit',
        'line_ids.unit_cost',
        'line_ids.is_price_kept',
      ] as const),
      ...withPrefix('company_id.currency_id', ratedPaths),
      ...withPrefix('pricelist_id.currency_id', ratedPaths),
      'pricelist_id.rate',
    ]);
  const [given = null] = values.pricelist_id
    ? await server
        .model('product.pricelist')
        .load([values.pricelist_id], ['rate', ...withPrefix('currency_id', ratedPaths)])
    : [];
  const [moved = null] = values.company_id
    ? await server.model('core.company').load([values.company_id], ['currency_id.decimal_places'])
    : [];
  for (const order of orders.filter(({ line_ids: lines }) => lines.length > 0)) {
    const list = values.pricelist_id === undefined ? order.pricelist_id : given;
    const [before, home] = [order.company_id.currency_id, (moved ?? order.company_id).currency_id] as const;
    const to = list?.currency_id ?? home;
    if (to.id === order.currency_id?.id) continue;
    if (home.id !== before.id)
      throw new UserError('The other company has another currency. Remove the lines before you move the order.');
    if (ids.length > 1) throw new UserError('Choose a price list in another currency for one order at a time.');
    const day = dateIn(env.actor.tz, values.date_order ?? order.date_order);
    const rate = rateOfList({ pricelist_id: list, company_id: order.company_id }, day);
    // Without a rate, the list is refused after this.
    const factor = rate?.div(order.currency_rate ?? 1);
    const convert = (price: Decimal) => (factor ? price.times(factor).round(to.decimal_places) : price);
    return { ...values, line_ids: withPrices(order.line_ids, values.line_ids ?? [], convert) };
  }
  return values;
}

interface Line {
  readonly id: number;
  readonly price_unit: Decimal;
  readonly unit_cost: Decimal | null;
  readonly is_price_kept: boolean;
}
type Values = WriteCall<'sale.order'>['values'];
type Commands = NonNullable<Values['line_ids']>;

/** The commands of the write, with converted prices for the lines that it leaves as they are. */
function withPrices(lines: readonly Line[], given: Commands, convert: (price: Decimal) => Decimal): Commands {
  const converted = lines.map(({ id, price_unit: price, unit_cost: cost, is_price_kept }) => ({
    id,
    values: { price_unit: convert(price), unit_cost: cost && convert(cost), is_price_kept },
  }));
  return withLines(converted, given as never) as unknown as Commands;
}
