import { type DatedCurrency, rateOn, ratePaths } from '@addons/base';
import { conversionRate, pricelistPaths, priceOf, productPricePaths, withPrefix } from '@addons/product';
import {
  amountsIn,
  leftOut,
  mappingPaths,
  ownTaxPaths,
  pricedLine,
  priceWithout,
  taxedPaths,
  taxesOf,
  usualTaxes,
} from '@addons/sale';
import { Decimal, type Draft, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';

const lineFields = {
  invoice_id: fields.many2one('invoice.invoice', {
    label: 'Invoice',
    required: true,
    ondelete: 'cascade',
    index: true,
  }),
  sequence: fields.integer({ required: true, default: 10 }),
  line_type: fields.selection(
    { product: 'Product', section: 'Section', note: 'Note' },
    { label: 'Kind', required: true, default: 'product' },
  ),
  product_id: fields.many2one('product.product', {
    label: 'Product',
    checkCompany: true,
    ondelete: 'restrict',
    index: true,
    domain: [['can_be_sold', '=', true]],
    synonyms: ['Article', 'Item', 'SKU'],
  }),
  name: fields.text({ label: 'Description', required: true, ...editable, synonyms: ['Text', 'Position'] }),
  quantity: fields.decimal({ required: true, default: 1, precision: [14, 3], synonyms: ['Qty', 'Pieces'] }),
  uom_id: fields.many2one('product.uom', { label: 'Unit', from: 'product_id.uom_id' }),
  price_unit: fields.monetary({
    label: 'Unit price',
    aggregate: 'average',
    required: true,
    ...editable,
    synonyms: ['Price'],
  }),
  discount: fields.decimal({
    label: 'Discount %',
    aggregate: 'average',
    required: true,
    default: 0,
    precision: [5, 2],
    min: 0,
    max: 100,
    synonyms: ['Discount'],
  }),
  tax_ids: fields.many2many('sale.tax', { label: 'Taxes', checkCompany: true, ...editable }),
  tax_left_out: fields.decimal({
    ...{ label: 'Tax left out of the price %', aggregate: 'none', precision: [9, 4], ...editable },
    help: 'It is in the price of the product and not charged to this customer.',
  }),
  price_subtotal: fields.monetary({ label: 'Subtotal', computed: true, stored: true }),
  price_tax: fields.monetary({ label: 'Tax', computed: true, stored: true }),
  price_total: fields.monetary({ label: 'Total', computed: true, stored: true }),
  reversed_line_id: fields.many2one('invoice.line', {
    label: 'Corrects the line',
    readonly: true,
    copy: false,
    ondelete: 'restrict',
  }),
  order_id: fields.many2one('sale.order', {
    label: 'Order',
    checkCompany: true,
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'restrict',
  }),
  order_line_id: fields.many2one('sale.order.line', {
    label: 'Order line',
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'restrict',
  }),
  is_down_payment: fields.boolean({ label: 'Down payment', readonly: true, copy: false }),
  deducts_id: fields.many2one('invoice.line', {
    label: 'Deducts',
    readonly: true,
    copy: false,
    ondelete: 'restrict',
  }),
  currency_id: fields.related('invoice_id.currency_id', { stored: true, ratesOn: 'invoice_date' }),
  company_id: fields.related('invoice_id.company_id', { stored: true }),
  partner_id: fields.related('invoice_id.partner_id', { stored: true }),
  state: fields.related('invoice_id.state', { stored: true }),
  invoice_date: fields.related('invoice_id.invoice_date', { stored: true }),
};

export interface InvoiceLine extends FieldsOf<typeof lineFields, 'name'> {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.line': InvoiceLine;
  }
}

const companyTaxPaths = withPrefix('invoice_id.company_id.sale_tax_id', [
  ...(['percent', 'price_included', 'date_end'] as const),
  ...(['next_id.percent', 'next_id.price_included'] as const),
]);
const dayPaths = ['invoice_id.invoice_date', 'invoice_id.delivery_date'] as const;

const pricePaths = [
  'tax_left_out',
  ...withPrefix('product_id', productPricePaths),
  ...withPrefix('product_id.currency_id', ratePaths),
  'quantity',
  'uom_id.factor',
  ...withPrefix('invoice_id.partner_id.pricelist_id', pricelistPaths),
  ...withPrefix('invoice_id.partner_id.pricelist_id.currency_id', ratePaths),
  'invoice_id.invoice_date',
  ...withPrefix('invoice_id.currency_id', ratePaths),
  ...withPrefix('invoice_id.company_id.currency_id', ratePaths),
] as const;

/** The price of the customer's list, or the sales price, in the currency of the invoice, at the rates of its date; null where no rate is known. */
function unitPrice(line: Draft<'invoice.line', (typeof pricePaths)[number]>, today: string): Decimal | null {
  const { product_id: product, invoice_id: invoice, uom_id: unit } = line;
  if (!product?.uom_id) return null;
  const day = invoice?.invoice_date ?? today;
  const rated = <T extends DatedCurrency>(currency: T | null | undefined) => (currency ? rateOn(currency, day) : null);
  const company = rated(invoice?.company_id?.currency_id);
  const pricelist = invoice?.partner_id?.pricelist_id ?? null;
  const inList = rated(pricelist?.currency_id) ?? company;
  const price = priceOf({
    product: { ...product, list_price: product.list_price ?? new Decimal(0), uom_id: product.uom_id },
    pricelist,
    rate: conversionRate({ from: rated(product.currency_id), company, to: inList, pricelist }),
    quantity: line.quantity ?? new Decimal(0),
    unit: unit ?? product.uom_id,
    date: day,
  });
  const rate = conversionRate({ from: inList, company, to: rated(invoice?.currency_id) ?? company, pricelist: null });
  return price && rate && priceWithout(price.times(rate).round(4), line.tax_left_out);
}

const amountPaths = [...taxedPaths, 'invoice_id.currency_id.decimal_places'] as const;
const amounts = (line: Draft<'invoice.line', (typeof amountPaths)[number]>) =>
  amountsIn(line, line.invoice_id?.currency_id);
const taxed = 'What a customer pays has all its taxes in it.';

export const invoiceLine = defineModel('invoice.line', {
  label: 'Invoice line',
  order: 'invoice_id, sequence, id',
  displayName: '{invoice_id}: {name}',
  fields: lineFields,
  indexes: ['invoice_id, sequence'],
  computes: {
    name: {
      depends: ['product_id.name', 'product_id.description'],
      value: ({ product_id: product }) =>
        product ? [product.name, product.description].filter(Boolean).join('\n') : undefined,
    },
    price_unit: {
      depends: pricePaths,
      // A markup is computed from the cost; the price is what the customer pays.
      asServer: 'A price list may start from the cost, and the price is for everyone.',
      value: (line, { changed, today }) => {
        if (line.product_id === null) return changed('product_id') ? new Decimal(0) : undefined;
        // Without a rate the price must be entered.
        return changed('product_id') || changed('uom_id') ? unitPrice(line, today) : undefined;
      },
    },
    tax_ids: {
      depends: [
        'line_type',
        ...ownTaxPaths.filter((path) => path.startsWith('product_id')),
        ...companyTaxPaths,
        ...dayPaths,
        'invoice_id.partner_id.tax_exempt',
        'invoice_id.tax_treatment',
        ...withPrefix('invoice_id', mappingPaths),
      ],
      asServer: 'Whether a customer pays tax is on every document, also for people who do not sell.',
      value: ({ invoice_id: invoice, line_type, product_id }, { today }) => {
        const day = invoice?.delivery_date ?? invoice?.invoice_date ?? today;
        return taxesOf({ line_type, product_id, order_id: invoice }, day, invoice?.tax_treatment);
      },
    },
    tax_left_out: {
      depends: [...ownTaxPaths, ...companyTaxPaths, ...dayPaths],
      asServer: taxed,
      value: ({ invoice_id: invoice, ...line }, { today }) => {
        const day = invoice?.delivery_date ?? invoice?.invoice_date ?? today;
        return leftOut(usualTaxes(line, invoice?.company_id, day), line.tax_ids);
      },
    },
    price_subtotal: { depends: amountPaths, value: (line) => amounts(line).untaxed, asServer: taxed },
    price_tax: { depends: amountPaths, value: (line) => amounts(line).tax, asServer: taxed },
    price_total: { depends: amountPaths, value: (line) => amounts(line).total, asServer: taxed },
  },
  constraints: {
    ...pricedLine,
    order_of_customer: {
      on: ['order_id'],
      reads: [
        ...(['invoice_id.partner_id', 'invoice_id.company_id', 'invoice_id.currency_id'] as const),
        ...(['order_id.partner_id', 'order_id.company_id', 'order_id.currency_id'] as const),
      ],
      holds: ({ order_id: order, invoice_id: invoice }) =>
        order === null ||
        (order.partner_id.id === invoice.partner_id.id &&
          order.company_id.id === invoice.company_id.id &&
          order.currency_id?.id === invoice.currency_id.id),
      message: 'The order is of another customer, company or currency.',
      field: 'order_id',
      serialize: ['order_id'],
    },
  },
});
