import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';

const handOverFields = {
  order_ids: fields.many2many('sale.order', { label: 'Orders', required: true }),
  user_id: fields.many2one('core.user', {
    label: 'Colleague',
    required: true,
    domain: [['active', '=', true]],
    ondelete: 'cascade',
  }),
  note: fields.text({ help: 'Said in the discussion of each.' }),
};

export interface SaleOrderHandOver extends FieldsOf<typeof handOverFields> {}
export interface SaleOrderHandOverCalls extends CallsOf<typeof saleOrderHandOver> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order.hand.over': SaleOrderHandOver;
  }
  interface Calls {
    'sale.order.hand.over': SaleOrderHandOverCalls;
  }
}

/** The dialog that asks who takes over. */
export const saleOrderHandOver = defineModel('sale.order.hand.over', {
  label: 'Hand over',
  transient: true,
  fields: handOverFields,
  actions: {
    async hand_over({ env, records }) {
      const [asked] = await records.load('order_ids.id', 'user_id.id', 'note');
      if (asked === undefined) return undefined;
      const ids = asked.order_ids.map((order) => order.id);
      const params = { user_id: asked.user_id.id, note: asked.note };
      return env.model('sale.order').call(ids, 'hand_over', params);
    },
  },
});
