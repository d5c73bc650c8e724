import { convertAmounts } from '@addons/base';
import '@addons/base';
import { companyValue, defineModel, type FieldsOf, fields } from '@kontor/addon';

const managers = ['product.group_manager'] as const;

const productFields = {
  name: fields.char({
    required: true,
    size: 200,
    index: true,
    tracking: true,
    synonyms: ['Product', 'Product name', 'Article', 'Item'],
  }),
  reference: fields.char({
    label: 'Internal reference',
    size: 64,
    unique: true,
    synonyms: ['SKU', 'Code', 'Item number', 'Part number', 'Reference'],
  }),
  barcode: fields.char({
    size: 64,
    unique: true,
    synonyms: ['EAN', 'GTIN', 'EAN13', 'UPC'],
  }),
  type: fields.selection({ goods: 'Goods', service: 'Service' }, { required: true, default: 'goods' }),
  can_be_sold: fields.boolean({ default: true, label: 'Can be sold' }),
  category_id: fields.many2one('product.category', {
    label: 'Category',
    index: true,
    synonyms: ['Product category', 'Group'],
  }),
  uom_id: fields.many2one('product.uom', {
    label: 'Unit',
    required: true,
    synonyms: ['Unit of measure', 'UoM'],
  }),
  list_price: fields.monetary({
    label: 'Sales price',
    aggregate: 'average',
    required: true,
    default: 0,
    min: 0,
    tracking: true,
    synonyms: ['Price', 'Unit price'],
  }),
  cost: fields.monetary({
    label: 'Cost',
    aggregate: 'average',
    default: 0,
    min: 0,
    groups: managers,
    tracking: true,
    synonyms: ['Purchase price', 'Cost price'],
  }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', default: companyValue('currency_id') }),
  image: fields.image({}),
  description: fields.text({
    label: 'Description for customers',
    help: 'Shown below the name on quotations.',
    synonyms: ['Text', 'Long text'],
  }),
  notes: fields.html({ label: 'Internal notes' }),
  weight: fields.decimal({ label: 'Weight (kg)', precision: [12, 4], min: 0 }),
  company_id: fields.many2one('core.company', { label: 'Company', help: 'If empty, shared by every company.' }),
  active: fields.boolean({ default: true }),
};

export interface ProductProduct extends FieldsOf<typeof productFields> {}
/** Fields of other addons. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface ProductProductCalls {}
declare module '@kontor/addon' {
  interface Models {
    'product.product': ProductProduct;
  }
  interface Calls {
    'product.product': ProductProductCalls;
  }
}

/** Amounts in the currency of a product. */
const prices = { model: 'product.product', amounts: ['list_price', 'cost'] };

export const productProduct = defineModel('product.product', {
  label: 'Product',
  order: 'name, id',
  displayName: '[{reference}] {name}',
  chatter: {},
  fields: productFields,
  indexes: ['category_id, name'],
  hooks: { on: ['currency_id'], beforeWrite: (write) => convertAmounts(write, prices) },
  constraints: {
    barcode_is_whole: {
      on: ['barcode'],
      holds: ({ barcode }) => barcode === null || hasCheckDigit(barcode),
      message: 'The check digit is wrong. Check the barcode.',
    },
  },
});

/** Lengths of EAN-8, UPC-A, EAN-13 and GTIN-14: numbers that end with a check digit. Anything else is free text. */
const lengths: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** Whether a barcode of one of these kinds ends with the correct check digit. */
export function hasCheckDigit(barcode: string): boolean {
  if (!/^\d+$/.test(barcode) || !lengths.has(barcode.length)) return true;
  const digits = [...barcode].map(Number).reverse();
  const [check = 0, ...others] = digits;
  const sum = others.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === check;
}
