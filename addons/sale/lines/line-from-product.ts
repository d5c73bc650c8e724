import { rateOn, ratePaths } from '@addons/base';
import { convertPrice, pricelistPaths, priceOf, productPricePaths } from '@addons/product';
import { type ActionCall, Decimal, type Draft, dateIn, text, withPrefix } from '@kontor/addon';
import { type Mapping, mappingPaths, mapTaxes } from '../taxes/position-of.ts';
import { type IncludedTax, leftOut, priceWithout } from '../taxes/price-between.ts';

/** The currencies between which prices are converted. */
const currencyPaths = [
  'order_id.date_order',
  'order_id.currency_rate',
  'order_id.euro_rate',
  ...withPrefix('product_id.currency_id', ratePaths),
  'order_id.company_id.currency_id.decimal_places',
  'order_id.pricelist_id.currency_id.decimal_places',
  'order_id.pricelist_id.rate',
] as const;

/** What a tax on a day depends on. */
export const datedTaxPaths = [
  'percent',
  'price_included',
  'date_end',
  'next_id.percent',
  'next_id.price_included',
] as const;
/** The taxes that the price of a product contains, from a line of an order or an invoice. */
export const productTaxPaths = withPrefix('product_id.sale_tax_ids', ['company_id', ...datedTaxPaths]);
export const ownTaxPaths = ['tax_ids.percent', 'tax_ids.price_included', ...productTaxPaths] as const;

/** The paths that the price of a line depends on. */
export const pricePaths = [
  ...currencyPaths,
  'tax_left_out',
  ...withPrefix('product_id', productPricePaths),
  'quantity',
  'uom_id.factor',
  'order_id.partner_id.country_id.tz',
  ...withPrefix('order_id.pricelist_id', pricelistPaths),
] as const;

interface Clock {
  readonly tz: string;
  readonly today: string;
}

function dayOf({ order_id: order }: Draft<'sale.order.line', 'order_id.date_order'>, { tz, today }: Clock): string {
  return order?.date_order ? dateIn(tz, order.date_order) : today;
}

/** The price of one unit for the customer on the day of the order, in a time zone; null without a product or a rate for its currency. */
export function unitPrice(line: Draft<'sale.order.line', (typeof pricePaths)[number]>, clock: Clock): Decimal | null {
  const { product_id: product, order_id: order } = line;
  // A product that is still being made may have no unit yet.
  if (product === null || product.uom_id === null) return null;
  const pricelist = order?.pricelist_id ?? null;
  const rate = rateOf(line, clock);
  const price = priceOf({
    product,
    pricelist,
    rate,
    quantity: line.quantity ?? new Decimal(0),
    unit: line.uom_id ?? product.uom_id,
    // Prices change at midnight where the customer is.
    date: dayOf(line, { ...clock, tz: order?.partner_id?.country_id?.tz ?? clock.tz }),
  });
  const isConverted = rate !== null && !rate.eq(pricelist?.rate ?? 1);
  const quoted = isConverted ? (price?.round(currencyOf(line)?.decimal_places ?? 2) ?? null) : price;
  return quoted && priceWithout(quoted, line.tax_left_out);
}

/** The currency of the order around a line. It is worked out here: that of a new order is not stored yet. */
function currencyOf({ order_id: order }: Draft<'sale.order.line', (typeof currencyPaths)[number]>) {
  return order?.pricelist_id?.currency_id ?? order?.company_id?.currency_id ?? null;
}

/**
 * What the product's currency is worth in that of the order on its day; null: unknown. A product without a currency has that of the
 * company, whose rate is the order's.
 */
function rateOf(line: Draft<'sale.order.line', (typeof currencyPaths)[number]>, clock: Clock): Decimal | null {
  const { product_id: product, order_id: order } = line;
  const own = product?.currency_id ?? null;
  const company = order?.company_id?.currency_id ?? null;
  const to = order?.pricelist_id?.currency_id ?? company;
  if (own === null || to === null || own.id === company?.id) return order ? order.currency_rate : new Decimal(1);
  if (own.id === to.id) return new Decimal(1);
  const { rate } = rateOn(own, dayOf(line, clock));
  return rate && order?.euro_rate ? order.euro_rate.div(rate) : null;
}

export const unpricedPaths = [
  'product_id.name',
  'product_id.currency_id.name',
  'order_id.pricelist_id.currency_id.name',
  'order_id.company_id.currency_id.name',
  ...currencyPaths,
] as const;

/** What to tell about a product whose price is in a currency without a rate. */
export function unpricedWarning(line: Draft<'sale.order.line', (typeof unpricedPaths)[number]>) {
  const { product_id: product, order_id: order } = line;
  const to = order?.pricelist_id?.currency_id ?? order?.company_id?.currency_id;
  // Whether a rate is known is the same on any day.
  if (!product?.currency_id || !to || rateOf(line, { tz: 'UTC', today: '2000-01-01' }) !== null) return undefined;
  const values = { product: product.name, from: product.currency_id.name, to: to.name };
  return {
    answer: {
      warning: {
        title: text('Enter the price'),
        message: text(
          'The price of {product} is in {from}, and no rate to {to} is known. Enter the price in {to}, or ask an administrator for the rates of both currencies.',
          values,
        ),
      },
    },
  };
}

/** Prices the lines of each order again. Costs and lists are the server's to read; prices are written with the caller's rights. */
export async function updatePrices({ env, records }: ActionCall<'sale.order'>): Promise<void> {
  const { tz } = env.actor;
  const clock = { tz, today: dateIn(tz, env.now) };
  const orders = await env.sudo().model('sale.order').load(records.ids, withPrefix('line_ids', pricePaths));
  for (const { id, line_ids: lines } of orders) {
    const priced = lines.flatMap((line) => {
      const price_unit = unitPrice(line, clock);
      return price_unit === null ? [] : [['update', line.id, { price_unit, is_price_kept: false }] as const];
    });
    if (priced.length > 0) await env.model('sale.order').write([id], { line_ids: priced });
  }
}

export const costPaths = ['product_id.cost', 'product_id.uom_id.factor', 'uom_id.factor', ...currencyPaths] as const;

/** The cost of one unit, in the currency of the order; null: unknown. */
export function unitCost(line: Draft<'sale.order.line', (typeof costPaths)[number]>, clock: Clock): Decimal | null {
  const { product_id: product } = line;
  if (product === null || product.uom_id === null) return new Decimal(0);
  const rate = rateOf(line, clock);
  const cost = rate && (product.cost ?? new Decimal(0)).times(rate);
  return cost && convertPrice(cost, product.uom_id, line.uom_id ?? product.uom_id);
}

export const taxPaths = [
  'line_type',
  ...productTaxPaths,
  'order_id.partner_id.tax_exempt',
  ...withPrefix('order_id', mappingPaths),
  ...withPrefix('order_id.company_id.sale_tax_id', datedTaxPaths),
  'order_id.date_order',
] as const;

interface DatedTax extends IncludedTax {
  readonly date_end: string | null;
  readonly next_id: IncludedTax | null;
}
interface TaxedProduct {
  readonly product_id: {
    readonly sale_tax_ids: readonly (DatedTax & { readonly company_id: { readonly id: number } | null })[];
  } | null;
}
interface TaxedCompany {
  readonly id: number;
  readonly sale_tax_id: DatedTax | null;
}

/** What decides on a document whether its taxes apply. */
export interface TaxDocument {
  readonly partner_id: { readonly tax_exempt: boolean } | null;
  readonly tax_position_id: Mapping | null;
}
interface TaxQuestion extends TaxedProduct {
  readonly line_type: string | null;
  readonly order_id: (TaxDocument & { readonly company_id: TaxedCompany | null }) | null;
}

/** The product's own taxes in a company, else the company's usual one. One that has ended on the day is replaced by the next one. */
export function usualTaxes(
  { product_id: product }: TaxedProduct,
  company: TaxedCompany | null | undefined,
  day: string,
): readonly IncludedTax[] {
  const own = (product?.sale_tax_ids ?? []).filter(
    (tax) => !tax.company_id || !company || tax.company_id.id === company.id,
  );
  const usual = company?.sale_tax_id ? [company.sale_tax_id] : [];
  return (own.length > 0 ? own : usual).map((tax) => validTax(tax, day));
}

export const leftOutPaths = [
  ...ownTaxPaths,
  ...withPrefix('order_id.company_id.sale_tax_id', datedTaxPaths),
  'order_id.date_order',
] as const;

/** The tax that is in the price of the product and that the line does not charge. */
export function taxLeftOut(line: Draft<'sale.order.line', (typeof leftOutPaths)[number]>, clock: Clock): Decimal {
  return leftOut(usualTaxes(line, line.order_id?.company_id, dayOf(line, clock)), line.tax_ids);
}

/** A tax on a day: the one that replaces it, if it has ended. */
export function validTax(tax: DatedTax, day: string): IncludedTax {
  return tax.next_id && tax.date_end !== null && tax.date_end < day ? tax.next_id : tax;
}

/**
 * The taxes that apply on a document instead of the usual ones: none, or those of its tax position. The treatment is that of an invoice,
 * where it can be chosen by hand.
 */
export function taxesOn(document: TaxDocument | null, ids: readonly number[], treatment?: string | null): number[] {
  if (document?.partner_id?.tax_exempt || (treatment ?? 'normal') !== 'normal') return [];
  return mapTaxes(ids, document?.tax_position_id ?? null);
}

/** The taxes of a line: the usual ones, as they apply on its document; headings and notes have none. */
export function taxesOf(
  { line_type: type, product_id, order_id: order }: TaxQuestion,
  day: string,
  treatment?: string | null,
): number[] {
  if (type === 'section' || type === 'note') return [];
  const usual = usualTaxes({ product_id }, order?.company_id, day).map(({ id }) => id);
  return taxesOn(order, usual, treatment);
}
