import { Decimal, defineModel, type FieldsOf, fields } from '@kontor/addon';

const lineFields = {
  order_id: fields.many2one('shop.order', { required: true, ondelete: 'cascade' }),
  name: fields.char({ required: true }),
  qty: fields.integer({ required: true, default: 1, min: 0 }),
  price: fields.decimal({ required: true, precision: [12, 2], default: '0' }),
  subtotal: fields.decimal({ precision: [14, 2], computed: true, stored: true }),
};
export interface ShopLine extends FieldsOf<typeof lineFields> {}
declare module '@kontor/addon' {
  interface Models {
    'shop.order.line': ShopLine;
  }
}

export const shopLine = defineModel('shop.order.line', {
  label: 'Order line',
  fields: lineFields,
  computes: {
    subtotal: { depends: ['qty', 'price'], value: ({ qty, price }) => (price ?? new Decimal(0)).times(qty ?? 0) },
  },
});
