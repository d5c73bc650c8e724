import { editable, fields, type Loaded } from '@kontor/addon';

/** What lines of orders and invoices have in common. */
export const pricedLineFields = {
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
};

/** The description of a line, until somebody writes another one. */
export const productWords = {
  depends: ['product_id.name', 'product_id.description'],
  value: ({
    product_id: product,
  }: {
    readonly product_id: Loaded<'product.product', 'name' | 'description'> | null;
  }) => (product ? [product.name, product.description].filter(Boolean).join('\n') : undefined),
} as const;

/** What holds for the lines of orders and invoices. */
export const pricedLine = {
  unit_of_the_product: {
    formula: 'isempty(product_id) or isempty(uom_id) or product_id.uom_id.category_id = uom_id.category_id',
    message: 'The product is not measured in this kind of unit.',
    field: 'uom_id',
  },
  words_cost_nothing: {
    formula: "line_type != 'section' and line_type != 'note' or isempty(product_id) and price_unit = 0",
    message: 'Sections and notes have no product and no price.',
  },
  quantity_counts: {
    formula: 'quantity != 0',
    message: 'Enter a quantity other than 0, or remove the line.',
  },
} as const;
