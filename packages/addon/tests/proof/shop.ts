import { Decimal, defineModel, type FieldsOf, fields, sum } from '@kontor/addon';

const basketFields = {
  name: fields.char({ required: true }),
  partner_id: fields.many2one('core.partner', { required: true }),
  item_ids: fields.one2many('proof.item', 'basket_id'),
  total: fields.monetary({ computed: true, stored: true }),
};
export interface Basket extends FieldsOf<typeof basketFields> {}

const itemFields = {
  basket_id: fields.many2one('proof.basket', { required: true, ondelete: 'cascade' }),
  price: fields.monetary({ required: true }),
};
export interface Item extends FieldsOf<typeof itemFields> {}

declare module '@kontor/addon' {
  interface Models {
    'proof.basket': Basket;
    'proof.item': Item;
  }
}

export const basket = defineModel('proof.basket', {
  fields: basketFields,
  computes: {
    total: {
      depends: ['item_ids.price', 'partner_id.country_id.code'],
      value: (record) => {
        const factor = record.partner_id?.country_id?.code === 'DE' ? new Decimal('1.19') : new Decimal(1);
        return sum(record.item_ids, (item) => item.price).times(factor);
      },
    },
  },
  actions: {
    async order({ env, records }) {
      await env.model('proof.basket').write(records.ids, { item_ids: [['create', { price: '9.99' }]] });
    },
  },
});
export const item = defineModel('proof.item', { fields: itemFields });
