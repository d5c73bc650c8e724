import { type DatedCurrency, rateOn, ratePaths } from '@addons/base';
import { conversionRate, pricelistPaths, priceOf, productPricePaths } from '@addons/product';
import {
  amountsIn,
  datedTaxPaths,
  leftOut,
  mappingPaths,
  ownTaxPaths,
  pricedLine,
  pricedLineFields,
  priceWithout,
  productTaxPaths,
  productWords,
  taxedPaths,
  taxesOf,
  usualTaxes,
} from '@addons/sale';
import { Decimal, type Draft, defineModel, type FieldsOf, fields, withPrefix } from '@kontor/addon';

/** Where a line comes from. */
const origin = { readonly: true, copy: false, ondelete: 'restrict' } as const;

const lineFields = {
  invoice_id: fields.many2one('invoice.invoice', { required: true, ondelete: 'cascade' }),
  sequence: fields.integer({ required: true, default: 10 }),
  line_type: fields.selection(
    { product: 'Product', section: 'Section', note: 'Note' },
    { label: 'Kind', required: true, default: 'product' },
  ),
  product_id: fields.many2one('product.product', {
    checkCompany: true,
    ondelete: 'restrict',
    domain: [['can_be_sold', '=', true]],
    synonyms: ['Article', 'Item', 'SKU'],
  }),
  ...pricedLineFields,
  reversed_line_id: fields.many2one('invoice.line', { label: 'Corrects the line', ...origin }),
  order_id: fields.many2one('sale.order', { checkCompany: true, ...origin }),
  order_line_id: fields.many2one('sale.order.line', origin),
  is_down_payment: fields.boolean({ label: 'Down payment', readonly: true, copy: false }),
  deducts_id: fields.many2one('invoice.line', origin),
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

const companyTaxPaths = withPrefix('invoice_id.company_id.sale_tax_id', datedTaxPaths);
const dayPaths = ['invoice_id.invoice_date', 'invoice_id.delivery_date'] as const;

const pricePaths = [
  ...(['tax_left_out', 'quantity', 'uom_id.factor', 'invoice_id.invoice_date'] as const),
  ...withPrefix('product_id', productPricePaths),
  ...withPrefix('product_id.currency_id', ratePaths),
  ...withPrefix('invoice_id.partner_id.pricelist_id', pricelistPaths),
  ...withPrefix('invoice_id.partner_id.pricelist_id.currency_id', ratePaths),
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
    name: productWords,
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
        ...(['line_type', 'invoice_id.partner_id.tax_exempt', 'invoice_id.tax_treatment'] as const),
        ...[...productTaxPaths, ...companyTaxPaths, ...dayPaths],
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
      formula: `isempty(order_id) or order_id.partner_id = invoice_id.partner_id
        and order_id.company_id = invoice_id.company_id and order_id.currency_id = invoice_id.currency_id`,
      message: 'The order is of another customer, company or currency.',
      serialize: ['order_id'],
    },
  },
});
