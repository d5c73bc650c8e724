import { convertPrice, pricelistPaths, priceOf, productPricePaths, under } from '@addons/product';
import { Decimal } from '@kontor/addon';

/** Of a product: what a line takes from it. */
export const productPaths = [
  ...productPricePaths,
  'name',
  'description',
  'uom_id.category_id',
  'sale_tax_ids.company_id',
] as const;
/** Of an order: what decides how. */
export const orderPaths = [
  ...under('pricelist_id', pricelistPaths),
  'date_order',
  'partner_id.tax_exempt',
  'company_id.sale_tax_id',
] as const;

type PriceQuestion = Parameters<typeof priceOf>[0];
type Unit = PriceQuestion['unit'] & { readonly id: number };

export interface LineProduct extends Omit<PriceQuestion['product'], 'uom_id'> {
  readonly name: string;
  readonly description: string | null;
  readonly uom_id: Unit;
  readonly sale_tax_ids: readonly { readonly id: number; readonly company_id: { readonly id: number } | null }[];
}
export interface LineOrder {
  readonly pricelist_id: PriceQuestion['pricelist'];
  readonly date_order: string | null;
  readonly partner_id: { readonly tax_exempt: boolean } | null;
  readonly company_id: { readonly id: number; readonly sale_tax_id: { readonly id: number } | null } | null;
}
export interface LineQuestion {
  readonly product: LineProduct;
  readonly order: LineOrder | null;
  readonly quantity: Decimal | null;
  readonly unit: Unit | null;
}

/** What a line says and costs when a product is chosen and nobody says otherwise. */
export function lineFromProduct(question: LineQuestion) {
  const { product, order, unit } = question;
  return {
    name: product.description ? `${product.name}\n${product.description}` : product.name,
    uom_id: (unit ?? product.uom_id).id,
    price_unit: unitPrice(question),
    unit_cost: unitCost(question),
    tax_ids: taxesOf(product, order),
  };
}

export function unitPrice({ product, order, quantity, unit }: LineQuestion): Decimal {
  return priceOf({
    product,
    pricelist: order?.pricelist_id ?? null,
    quantity: quantity ?? new Decimal(0),
    unit: unit ?? product.uom_id,
    date: (order?.date_order ?? new Date().toISOString()).slice(0, 10),
  });
}

/** In the currency of the order. */
export function unitCost({ product, order, unit }: LineQuestion): Decimal {
  const cost = (product.cost ?? new Decimal(0)).times(order?.pricelist_id?.rate ?? 1);
  return convertPrice(cost, product.uom_id, unit ?? product.uom_id);
}

function taxesOf(product: LineProduct, order: LineOrder | null): number[] {
  if (order?.partner_id?.tax_exempt) return [];
  const company = order?.company_id ?? null;
  const own = product.sale_tax_ids.filter((tax) => !tax.company_id || !company || tax.company_id.id === company.id);
  if (own.length > 0) return own.map((tax) => tax.id);
  return company?.sale_tax_id ? [company.sale_tax_id.id] : [];
}
