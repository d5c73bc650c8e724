import { Decimal, type Draft } from '@kontor/addon';

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
const nothing: LineAmounts = { untaxed: zero, tax: zero, total: zero, taxes: new Map() };

/**
 * The amounts of a line, rounded half up to the currency. Taxes included in the price are taken out of it, so that the total is the
 * quoted price; the others are added.
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

/** Included taxes must add up to exactly the difference between the price and the untaxed amount; the last one takes the cent. */
function settleRounding(amounts: Map<number, Decimal>, included: readonly TaxRate[], expected: Decimal): void {
  const last = included.at(-1);
  if (last === undefined) return;
  const others = included.slice(0, -1).reduce((sum, tax) => sum.plus(amounts.get(tax.id) ?? zero), zero);
  amounts.set(last.id, expected.minus(others));
}

/** The paths that the amounts of a line depend on, beside its currency. */
export const taxedPaths = ['quantity', 'price_unit', 'discount', 'tax_ids.percent', 'tax_ids.price_included'] as const;
/** The same for a line of an order. */
export const amountPaths = [...taxedPaths, 'line_type', 'order_id.currency_id.decimal_places'] as const;

export interface TaxedLine<Tax extends TaxRate = TaxRate> {
  readonly quantity: Decimal | null;
  readonly price_unit: Decimal | null;
  readonly discount: Decimal | null;
  readonly tax_ids: readonly Tax[];
}
type InCurrency = { readonly decimal_places: number } | null | undefined;
interface AmountSource extends TaxedLine {
  readonly line_type: string | null;
  readonly order_id: { readonly currency_id: InCurrency } | null;
}

/** Before a document has a currency, amounts have the decimals that most currencies have. */
const usualPlaces = 2;

export function amountsIn(line: TaxedLine, currency: InCurrency): LineAmounts {
  return lineAmounts({
    quantity: line.quantity ?? zero,
    price: line.price_unit ?? zero,
    discount: line.discount ?? zero,
    taxes: line.tax_ids,
    places: currency?.decimal_places ?? usualPlaces,
  });
}

/** An option is not ordered until it is chosen. */
export function amountsOf(line: AmountSource): LineAmounts {
  return isOption(line) ? nothing : amountsIn(line, line.order_id?.currency_id);
}

/** What an option would add. */
export function optionAmounts(line: AmountSource): LineAmounts {
  return isOption(line) ? amountsIn(line, line.order_id?.currency_id) : nothing;
}

export function isOption({ line_type: kind }: { readonly line_type: string | null }): boolean {
  return kind === 'option';
}

export interface TaxSum {
  readonly id: number;
  readonly name: string;
  readonly percent: Decimal;
  /** The untaxed amount that it is charged on. */
  readonly base: Decimal;
  readonly amount: Decimal;
}

/** Where tax is rounded: on each line, or once for each tax of the document. */
export type TaxRounding = 'line' | 'document';

/**
 * What each tax comes to over all lines, in order of first occurrence. Rounded per document, it is charged on the sum of the net
 * amounts; a tax that is included in prices is what they contain, either way.
 */
export function taxSums(
  lines: readonly TaxedLine<TaxRate & { readonly name: string }>[],
  currency: InCurrency,
  rounding: TaxRounding = 'line',
): readonly TaxSum[] {
  const places = currency?.decimal_places ?? usualPlaces;
  const sums = new Map<number, TaxSum>();
  for (const line of lines) {
    const { untaxed, taxes } = amountsIn(line, currency);
    for (const { id, name, percent, price_included: isIncluded } of line.tax_ids) {
      const { base, amount } = sums.get(id) ?? { base: zero, amount: zero };
      const added = base.plus(untaxed);
      const isWhole = rounding === 'document' && !isIncluded;
      const charged = isWhole ? added.times(percent).div(hundred).round(places) : amount.plus(taxes.get(id) ?? zero);
      sums.set(id, { id, name, percent, base: added, amount: charged });
    }
  }
  return [...sums.values()];
}

export function marginOf(line: AmountSource & { readonly unit_cost: Decimal | null }): Decimal {
  const cost = (line.unit_cost ?? zero).times(line.quantity ?? zero);
  return isOption(line) ? zero : amountsOf(line).untaxed.minus(cost);
}

/** The conversion rate of an amount: what one unit of the company's currency is worth in that of the order. */
export const ratePaths = [
  'order_id.currency_rate',
  'order_id.currency_id',
  'order_id.company_id.currency_id.decimal_places',
] as const;

export function inCompany(
  amount: Decimal,
  { order_id: order }: Draft<'sale.order.line', (typeof ratePaths)[number]>,
): Decimal {
  const isOwn = order?.currency_id?.id === order?.company_id?.currency_id?.id;
  const rate = isOwn ? null : order?.currency_rate;
  const converted = rate?.gt(0) ? amount.div(rate) : amount;
  return converted.round(order?.company_id?.currency_id?.decimal_places ?? 2);
}
