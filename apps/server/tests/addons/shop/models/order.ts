import {
  type CallsOf,
  currentCompany,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
  open,
  UserError,
} from '@kontor/addon';

const orderFields = {
  name: fields.char({ required: true, unique: true, size: 64 }),
  state: fields.selection({ draft: 'Draft', sold: 'Sold' }, { required: true, default: 'draft' }),
  partner_id: fields.many2one('core.partner', { label: 'Customer' }),
  user_id: fields.many2one('core.user', { label: 'Seller', default: currentUser }),
  date_order: fields.date({}),
  placed_at: fields.datetime({}),
  note: fields.text({}),
  rate: fields.float({}),
  count: fields.integer({}),
  is_urgent: fields.boolean({}),
  extra: fields.json({}),
  file: fields.binary({}),
  page: fields.html({}),
  line_ids: fields.one2many('shop.order.line', 'order_id'),
  tag_ids: fields.many2many('shop.tag'),
  amount_total: fields.decimal({ precision: [14, 2], computed: true, stored: true }),
  margin: fields.decimal({ precision: [14, 2], groups: ['base.group_system'] }),
  reference: fields.char({ readonly: true, copy: false }),
  company_id: fields.many2one('core.company', { default: currentCompany }),
  active: fields.boolean({ default: true }),
};
export interface ShopOrder extends FieldsOf<typeof orderFields> {}
export interface ShopOrderCalls extends CallsOf<typeof shopOrder> {}
declare module '@kontor/addon' {
  interface Models {
    'shop.order': ShopOrder;
  }
  interface Calls {
    'shop.order': ShopOrderCalls;
  }
}

export const shopOrder = defineModel('shop.order', {
  label: 'Order',
  order: 'name, id',
  fields: orderFields,
  computes: { amount_total: { sum: 'line_ids.subtotal' } },
  onchange: {
    partner_id: {
      reads: ['partner_id.email'],
      value: (draft) => ({
        answer: {
          value: { note: draft.partner_id?.email ?? undefined },
          warning: { title: 'New customer', message: 'Check the address.' },
          domain: { user_id: [['active', '=', true]] },
        },
      }),
    },
  },
  constraints: {
    sold_has_customer: {
      on: ['state', 'partner_id'],
      holds: (order) => order.state !== 'sold' || order.partner_id !== null,
      message: 'Say who buys it.',
      field: 'partner_id',
    },
  },
  actions: {
    sell: {
      asks: { refuse: fields.char(), buyer_id: fields.many2one('core.partner', { label: 'Buyer' }) },
      async proposes({ records }) {
        const [first] = await records.load('partner_id.email');
        return { value: { buyer_id: first?.partner_id?.id ?? null }, domain: { buyer_id: [['active', '=', true]] } };
      },
      async run({ env, records, answers }) {
        const [first] = records.ids;
        if (answers.refuse) throw new UserError(`Order ${first} cannot be sold.`);
        await env.model('shop.order').write(records.ids, { state: 'sold', reference: `SOLD ${records.ids.length}` });
      },
    },
    async open({ records }) {
      const [id] = records.ids;
      return id === undefined ? undefined : open('shop.order', { id });
    },
    fail: {
      asks: { secret: fields.char() },
      async run({ answers }) {
        throw new Error(`something broke near password=${answers.secret}`);
      },
    },
    audit: { groups: ['base.group_system'], needs: 'read', run: async () => {} },
  },
});
