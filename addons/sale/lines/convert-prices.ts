import { type CastValues, Decimal, type Env, UserError } from '@kontor/addon';

type Values = { readonly [Name in keyof CastValues<'sale.order'>]: CastValues<'sale.order'>[Name] | null };
interface Currency {
  readonly id: number;
  readonly decimal_places: number;
}

/**
 * Converts the prices of an order that gets a price list in another currency: 329 EUR must not become 329 CHF. Prices that the
 * same write gives are in the new currency already.
 */
export async function convertPrices({
  env,
  ids,
  values,
}: {
  readonly env: Env;
  readonly ids: readonly number[];
  readonly values: Values;
}): Promise<Values> {
  const server = env.sudo();
  const paths = ['currency_id', 'pricelist_id.rate', 'pricelist_id.currency_id.decimal_places'] as const;
  const company = 'company_id.currency_id.decimal_places';
  const orders = await server
    .model('sale.order')
    .load(ids, [...paths, company, 'line_ids.price_unit', 'line_ids.unit_cost']);
  const [given = null] = values.pricelist_id
    ? await server.model('product.pricelist').load([values.pricelist_id], ['rate', 'currency_id.decimal_places'])
    : [];
  const [moved = null] = values.company_id
    ? await server.model('core.company').load([values.company_id], ['currency_id.decimal_places'])
    : [];
  for (const order of orders.filter(({ line_ids: lines }) => lines.length > 0)) {
    const list = values.pricelist_id === undefined ? order.pricelist_id : given;
    const [before, home] = [order.company_id.currency_id, (moved ?? order.company_id).currency_id] as Currency[];
    const to = list?.currency_id ?? (home as Currency);
    if (to.id === order.currency_id?.id) continue;
    if (home?.id !== before?.id)
      throw new UserError('The other company has another currency. Remove the lines before you move the order.');
    if (ids.length > 1) throw new UserError('Choose a price list in another currency for one order at a time.');
    const rate = (list?.rate ?? new Decimal(1)).div(order.pricelist_id?.rate ?? 1);
    const convert = (price: Decimal) => price.times(rate).round(to.decimal_places);
    return { ...values, line_ids: withPrices(order.line_ids, values.line_ids ?? [], convert) };
  }
  return values;
}

interface Line {
  readonly id: number;
  readonly price_unit: Decimal;
  readonly unit_cost: Decimal | null;
}
type Commands = NonNullable<Values['line_ids']>;

/** The commands of the write, with converted prices for the lines that it leaves as they are. */
function withPrices(lines: readonly Line[], given: Commands, convert: (price: Decimal) => Decimal): Commands {
  const converted = (id: unknown) => {
    const line = lines.find((one) => one.id === id);
    return line && { price_unit: convert(line.price_unit), unit_cost: line.unit_cost && convert(line.unit_cost) };
  };
  const commands = given.map((command) =>
    command[0] === 'update' ? command.with(2, { ...converted(command[1]), ...(command[2] as object) }) : command,
  );
  const mentioned = new Set<unknown>(given.map(([, id]) => id));
  const others = lines.flatMap(({ id }) => (mentioned.has(id) ? [] : [['update', id, converted(id)]]));
  return [...commands, ...others] as unknown as Commands;
}
