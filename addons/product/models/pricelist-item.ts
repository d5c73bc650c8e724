import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const itemFields = {
  pricelist_id: fields.many2one('product.pricelist', { label: 'Price list', required: true, ondelete: 'cascade' }),
  applies_to: fields.selection(
    { all: 'All products', category: 'A category', product: 'A product' },
    { required: true, default: 'all', label: 'Applies to' },
  ),
  category_id: fields.many2one('product.category', { label: 'Category', ondelete: 'cascade' }),
  product_id: fields.many2one('product.product', { label: 'Product', ondelete: 'cascade' }),
  min_quantity: fields.decimal({
    required: true,
    default: 0,
    precision: [14, 3],
    min: 0,
    label: 'From quantity',
    help: "In the product's own unit.",
  }),
  date_start: fields.date({ label: 'From' }),
  date_end: fields.date({ label: 'Until' }),
  method: fields.selection(
    { fixed: 'Fixed price', discount: 'Discount on the sales price', markup: 'Markup on the cost' },
    { required: true, default: 'discount' },
  ),
  fixed_price: fields.monetary({ label: 'Price', min: 0, aggregate: 'average' }),
  percent: fields.decimal({
    required: true,
    default: 0,
    precision: [7, 3],
    label: 'Percent',
    aggregate: 'average',
  }),
  surcharge: fields.monetary({ required: true, default: 0, help: 'Added at the end; may be negative.' }),
  round_to: fields.decimal({
    precision: [12, 4],
    min: 0,
    help: 'Prices are rounded to multiples of it, before the surcharge.',
  }),
  currency_id: fields.related('pricelist_id.currency_id'),
};

export interface ProductPricelistItem extends FieldsOf<typeof itemFields> {}
declare module '@kontor/addon' {
  interface Models {
    'product.pricelist.item': ProductPricelistItem;
  }
}

export const productPricelistItem = defineModel('product.pricelist.item', {
  label: 'Price rule',
  cached: true,
  order: 'pricelist_id, applies_to, -min_quantity, id',
  displayName: '{pricelist_id.name}',
  fields: itemFields,
  constraints: {
    has_category: {
      on: ['applies_to', 'category_id'],
      holds: (item) => item.applies_to !== 'category' || item.category_id !== null,
      message: 'Choose the category.',
      field: 'category_id',
    },
    has_product: {
      on: ['applies_to', 'product_id'],
      holds: (item) => item.applies_to !== 'product' || item.product_id !== null,
      message: 'Choose the product.',
      field: 'product_id',
    },
    has_price: {
      on: ['method', 'fixed_price'],
      holds: (item) => item.method !== 'fixed' || item.fixed_price !== null,
      message: 'Enter the price.',
      field: 'fixed_price',
    },
    discount_is_possible: {
      on: ['method', 'percent'],
      holds: (item) => item.method !== 'discount' || (item.percent.gte(0) && item.percent.lte(100)),
      message: 'A discount is between 0 and 100 percent.',
      field: 'percent',
    },
    dates_in_order: {
      on: ['date_start', 'date_end'],
      holds: (item) => item.date_start === null || item.date_end === null || item.date_start <= item.date_end,
      message: 'The rule ends before it begins.',
      field: 'date_end',
    },
  },
});
