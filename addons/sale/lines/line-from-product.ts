import { convertPrice, pricelistPaths, priceOf, productPricePaths, withPrefix } from '@addons/product';
import { type ActionCall, Decimal, type Draft, dateIn } from '@kontor/addon';

/** The paths that the price of a line depends on. */
export const pricePaths = [
  ...withPrefix('product_id', productPricePaths),
  'quantity',
  'uom_id.factor',
  'order_id.date_order',
  ...withPrefix('order_id.pricelist_id', pricelistPaths),
] as const;

/** The price of one unit for the customer on the day of the order, in a time zone; null for a line without a product. */
export function unitPrice(
  line: Draft<'sale.order.line', (typeof pricePaths)[number]>,
  { tz, today }: { readonly tz: string; readonly today: string },
): Decimal | null {
  const { product_id: product, order_id: order } = line;
  // A product that is still being made may have no unit yet.
  if (product === null || product.uom_id === null) return null;
  return priceOf({
    product,
    pricelist: order?.pricelist_id ?? null,
    quantity: line.quantity ?? new Decimal(0),
    unit: line.uom_id ?? product.uom_id,
    date: order?.date_order ? dateIn(tz, order.date_order) : today,
  });
}

/** Prices the lines of each order again. Costs and lists are the server's to read; prices are written with the caller's rights. */
export async function updatePrices({ env, records }: ActionCall<'sale.order'>): Promise<void> {
  const { tz } = env.actor;
  const clock = { tz, today: dateIn(tz, env.now) };
  const orders = await env.sudo().model('sale.order').load(records.ids, withPrefix('line_ids', pricePaths));
  for (const { id, line_ids: lines } of orders) {
    const priced = lines.flatMap((line) => {
      const price_unit = unitPrice(line, clock);
      return price_unit === null ? [] : [['update', line.id, { price_unit }] as const];
    });
    if (priced.length > 0) await env.model('sale.order').write([id], { line_ids: priced });
  }
}

export const costPaths = [
  'product_id.cost',
  'product_id.uom_id.factor',
  'uom_id.factor',
  'order_id.pricelist_id.rate',
] as const;

/** The cost of one unit, in the currency of the order. */
export function unitCost(line: Draft<'sale.order.line', (typeof costPaths)[number]>): Decimal {
  const { product_id: product, order_id: order } = line;
  if (product === null || product.uom_id === null) return new Decimal(0);
  const cost = (product.cost ?? new Decimal(0)).times(order?.pricelist_id?.rate ?? 1);
  return convertPrice(cost, product.uom_id, line.uom_id ?? product.uom_id);
}

export const taxPaths = [
  'product_id.sale_tax_ids.company_id',
  'order_id.partner_id.tax_exempt',
  'order_id.company_id.sale_tax_id',
] as const;

/** The product's own taxes in the company of the order, else the company's usual one. */
export function taxesOf(line: Draft<'sale.order.line', (typeof taxPaths)[number]>): number[] {
  const { product_id: product, order_id: order } = line;
  if (product === null || order?.partner_id?.tax_exempt) return [];
  const company = order?.company_id ?? null;
  const own = product.sale_tax_ids.filter((tax) => !tax.company_id || !company || tax.company_id.id === company.id);
  if (own.length > 0) return own.map((tax) => tax.id);
  return company?.sale_tax_id ? [company.sale_tax_id.id] : [];
}
