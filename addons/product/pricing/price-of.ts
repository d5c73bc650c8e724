import { Decimal } from '@kontor/addon';
import { convertPrice, toMultiple, type Unit } from './convert-quantity.ts';

/** The paths that a price depends on; `under` prefixes them with a relation. */
export const productPricePaths = ['list_price', 'cost', 'category_id.path', 'uom_id.factor'] as const;
export const pricelistPaths = [
  'rate',
  'item_ids.applies_to',
  'item_ids.category_id',
  'item_ids.product_id',
  'item_ids.min_quantity',
  'item_ids.date_start',
  'item_ids.date_end',
  'item_ids.method',
  'item_ids.fixed_price',
  'item_ids.percent',
  'item_ids.surcharge',
  'item_ids.round_to',
] as const;

export interface PricedProduct {
  readonly id: number;
  readonly list_price: Decimal;
  readonly cost: Decimal | null;
  readonly category_id: { readonly path: string } | null;
  readonly uom_id: Unit;
}
export interface PriceRule {
  readonly id: number;
  readonly applies_to: 'all' | 'category' | 'product';
  readonly category_id: { readonly id: number } | null;
  readonly product_id: { readonly id: number } | null;
  readonly min_quantity: Decimal;
  readonly date_start: string | null;
  readonly date_end: string | null;
  readonly method: 'fixed' | 'discount' | 'markup';
  readonly fixed_price: Decimal | null;
  readonly percent: Decimal;
  readonly surcharge: Decimal;
  readonly round_to: Decimal | null;
}
export interface PriceRules {
  readonly rate: Decimal | null;
  readonly item_ids: readonly PriceRule[];
}
export interface PriceQuestion {
  readonly product: PricedProduct;
  /** None: the sales price applies. */
  readonly pricelist: PriceRules | null;
  /** What the product's currency is worth in that of the price, where the list does not say; null: unknown. */
  readonly rate?: Decimal | null;
  readonly quantity: Decimal;
  /** The unit of the quantity and of the price. */
  readonly unit: Unit;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** Decimals of a monetary field; prices of small units need more than the currency has. */
const priceScale = 4;

/** The price of one unit of a product for a customer; null where it is in another currency without a rate. */
export function priceOf(question: PriceQuestion): Decimal | null {
  const { product, pricelist, unit, rate = pricelist?.rate ?? new Decimal(1) } = question;
  const own = priceByRule(product, rate, ruleFor(question));
  return own && convertPrice(own, product.uom_id, unit).round(priceScale);
}

/** The applicable rule: the most specific one, then the one with the largest quantity, then the oldest. */
export function ruleFor({ product, pricelist, quantity, unit, date }: PriceQuestion): PriceRule | null {
  const inOwnUnit = quantity.times(unit.factor).div(product.uom_id.factor);
  const fitting = (pricelist?.item_ids ?? []).filter(
    (rule) => isAbout(rule, product) && isInTime(rule, date) && rule.min_quantity.lte(inOwnUnit),
  );
  const [best = null] = fitting.sort(
    (a, b) => narrowness[a.applies_to] - narrowness[b.applies_to] || b.min_quantity.cmp(a.min_quantity) || a.id - b.id,
  );
  return best;
}

const narrowness = { product: 0, category: 1, all: 2 } as const;

function isAbout(rule: PriceRule, product: PricedProduct): boolean {
  if (rule.applies_to === 'product') return rule.product_id?.id === product.id;
  if (rule.applies_to === 'category') return product.category_id?.path.includes(`/${rule.category_id?.id}/`) ?? false;
  return true;
}

function isInTime({ date_start: start, date_end: end }: PriceRule, date: string): boolean {
  return (start === null || start <= date) && (end === null || date <= end);
}

function priceByRule(product: PricedProduct, rate: Decimal | null, rule: PriceRule | null): Decimal | null {
  if (rule?.method === 'fixed') return (rule.fixed_price ?? new Decimal(0)).plus(rule.surcharge);
  if (rate === null) return null;
  if (rule === null) return product.list_price.times(rate);
  const price =
    rule.method === 'discount'
      ? product.list_price.times(new Decimal(100).minus(rule.percent)).div(100)
      : (product.cost ?? new Decimal(0)).times(rule.percent.plus(100)).div(100);
  const inCurrency = price.times(rate);
  const rounded = rule.round_to === null ? inCurrency : toMultiple(inCurrency, rule.round_to);
  return rounded.plus(rule.surcharge);
}
