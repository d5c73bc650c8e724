import { Decimal, dateIn, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';
import { amountPaths, amountsOf, inCompany, marginOf, optionAmounts, ratePaths } from '../lines/line-amounts.ts';
import {
  costPaths,
  leftOutPaths,
  pricePaths,
  taxesOf,
  taxLeftOut,
  taxPaths,
  unitCost,
  unitPrice,
  unpricedPaths,
  unpricedWarning,
} from '../lines/line-from-product.ts';
import { pricedLine, pricedLineFields, productWords } from '../lines/priced-line.ts';
import { companyAmounts, managers } from './company-amounts.ts';

const lineFields = {
  order_id: fields.many2one('sale.order', { label: 'Order', required: true, ondelete: 'cascade', index: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  line_type: fields.selection(
    { product: 'Product', option: 'Option', section: 'Section', note: 'Note' },
    {
      ...{ label: 'Kind', required: true, default: 'product' },
      help: 'An option is not in the total until the customer ticks it.',
    },
  ),
  product_id: fields.many2one('product.product', {
    label: 'Product',
    checkCompany: true,
    index: true,
    domain: [['can_be_sold', '=', true]],
    synonyms: ['Article', 'Item', 'SKU'],
  }),
  ...pricedLineFields,
  is_price_kept: fields.boolean({
    label: 'Price stays',
    help: 'Entered by hand: another quantity, date or price list does not change it.',
  }),
  unit_cost: fields.monetary({ label: 'Unit cost', aggregate: 'average', groups: managers, ...editable }),
  option_subtotal: fields.monetary({ label: 'Option, untaxed', computed: true }),
  option_total: fields.monetary({ label: 'Option, total', computed: true }),
  margin: fields.monetary({ computed: true, stored: true, groups: managers }),
  currency_id: fields.related('order_id.currency_id', { stored: true, ratesOn: 'date_order' }),
  company_currency_id: fields.related('order_id.company_id.currency_id', {
    ...{ label: 'Currency of the company', stored: true, ratesOn: 'date_order' },
  }),
  ...companyAmounts,
  company_id: fields.related('order_id.company_id', { stored: true }),
  partner_id: fields.related('order_id.partner_id', { stored: true }),
  user_id: fields.related('order_id.user_id', { stored: true }),
  team_id: fields.related('order_id.team_id', { stored: true }),
  state: fields.related('order_id.state', { stored: true }),
  date_order: fields.related('order_id.date_order', { stored: true }),
  category_id: fields.related('product_id.category_id', { stored: true }),
};

export interface SaleOrderLine extends FieldsOf<typeof lineFields, 'name'> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order.line': SaleOrderLine;
  }
}

function sameAmount(one: Decimal | null | undefined, other: Decimal | null | undefined): boolean {
  return one && other ? one.eq(other) : (one ?? null) === (other ?? null);
}

const taxed = 'What a customer pays has all its taxes in it.';
const converted = 'The rate of a price list is no secret: it is the quotient of two amounts of the line.';

export const saleOrderLine = defineModel('sale.order.line', {
  label: 'Order line',
  order: 'order_id, sequence, id',
  displayName: '{order_id.name}: {product_id}',
  fields: lineFields,
  indexes: ['order_id, sequence', 'product_id, date_order'],
  computes: {
    name: productWords,
    price_unit: {
      depends: [...pricePaths, 'is_price_kept'],
      // A markup is computed from the cost, which salespeople do not see; the price is what they quote.
      asServer: 'A price list may start from the cost, and the price is for everyone.',
      value: (line, { tz, today, changed }) => {
        if (line.product_id === null) return changed('product_id') ? new Decimal(0) : undefined;
        // A price that was entered by hand stays; without a price list, so does the one of the product.
        const isKept = line.order_id?.pricelist_id === null && !changed('product_id') && !changed('uom_id');
        return isKept || line.is_price_kept ? undefined : unitPrice(line, { tz, today });
      },
    },
    unit_cost: { depends: costPaths, value: unitCost },
    tax_ids: {
      depends: taxPaths,
      value: (line, { tz, today }) =>
        taxesOf(line, line.order_id?.date_order ? dateIn(tz, line.order_id.date_order) : today),
    },
    tax_left_out: { depends: leftOutPaths, value: taxLeftOut, asServer: taxed },
    option_subtotal: { depends: amountPaths, value: (line) => optionAmounts(line).untaxed, asServer: taxed },
    option_total: { depends: amountPaths, value: (line) => optionAmounts(line).total, asServer: taxed },
    price_subtotal: { depends: amountPaths, value: (line) => amountsOf(line).untaxed, asServer: taxed },
    price_tax: { depends: amountPaths, value: (line) => amountsOf(line).tax, asServer: taxed },
    price_total: { depends: amountPaths, value: (line) => amountsOf(line).total, asServer: taxed },
    margin: { depends: [...amountPaths, 'unit_cost'], value: marginOf, asServer: taxed },
    turnover: {
      depends: ['price_subtotal', ...ratePaths],
      value: (line) => inCompany(line.price_subtotal, line),
      asServer: converted,
    },
    margin_in_company: {
      depends: ['margin', ...ratePaths],
      value: (line) => inCompany(line.margin, line),
      asServer: converted,
    },
  },
  normalise: {
    // Whoever changes a price alone means it, until the product changes.
    entered_price: {
      on: ['price_unit', 'product_id', 'uom_id'],
      value: (line, { before, given }) => {
        if (before === null || given('is_price_kept')) return undefined;
        if (given('product_id') || given('uom_id')) {
          const isOther = line.product_id !== before.product_id || line.uom_id !== before.uom_id;
          return isOther ? { is_price_kept: false } : undefined;
        }
        return given('quantity') || sameAmount(line.price_unit, before.price_unit)
          ? undefined
          : { is_price_kept: true };
      },
    },
  },
  onchange: {
    product_id: {
      reads: unpricedPaths,
      // The price of another product is its own.
      value: (line) => ({ answer: { ...unpricedWarning(line)?.answer, value: { is_price_kept: false } } }),
    },
    uom_id: { byHand: true, value: () => ({ is_price_kept: false }) },
    price_unit: {
      byHand: true,
      reads: ['product_id'],
      value: ({ product_id: product }) => ({ is_price_kept: product !== null }),
    },
  },
  constraints: pricedLine,
});
