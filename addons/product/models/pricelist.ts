import { convertAmounts } from '@addons/base';
import { companyValue, defineModel, type FieldsOf, fields } from '@kontor/addon';

const pricelistFields = {
  name: fields.char({ required: true, size: 100, tracking: true, translated: true }),
  sequence: fields.integer({ required: true, default: 10 }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', default: companyValue('currency_id') }),
  rate: fields.decimal({
    precision: [18, 8],
    aggregate: 'average',
    help: "What one unit of the products' currency is worth in the currency of this list. If empty, the exchange rates of the day apply.",
  }),
  item_ids: fields.one2many('product.pricelist.item', 'pricelist_id', { label: 'Rules', copy: true }),
  company_id: fields.many2one('core.company', { label: 'Company', help: 'If empty, shared by every company.' }),
  active: fields.boolean({ default: true }),
};

export interface ProductPricelist extends FieldsOf<typeof pricelistFields> {}
declare module '@kontor/addon' {
  interface Models {
    'product.pricelist': ProductPricelist;
  }
}

/** Fixed prices and surcharges are in the currency of the list. */
const prices = {
  model: 'product.pricelist',
  lines: { field: 'item_ids', model: 'product.pricelist.item', amounts: ['fixed_price', 'surcharge'] },
};

export const productPricelist = defineModel('product.pricelist', {
  label: 'Price list',
  cached: true,
  order: 'sequence, name',
  chatter: {},
  fields: pricelistFields,
  hooks: { on: ['currency_id'], beforeWrite: (write) => convertAmounts(write, prices) },
  constraints: {
    rate_is_positive: {
      on: ['rate'],
      holds: ({ rate }) => rate === null || rate.gt(0),
      message: 'The rate must be more than 0.',
    },
  },
});
