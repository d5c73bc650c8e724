import {
  type ActionAnswer,
  type ActionCall,
  answer,
  type CallsOf,
  companyValue,
  currentCompany,
  currentUser,
  Decimal,
  defineModel,
  type FieldsOf,
  fields,
  now,
  open,
  sequence,
} from '@kontor/addon';

const clientFields = {
  name: fields.char({ required: true }),
  payment_days: fields.integer({ min: 0, max: 365 }),
  user_id: fields.many2one('core.user'),
  country_id: fields.many2one('core.country'),
  basket_ids: fields.one2many('proof.basket', 'client_id'),
};
export interface Client extends FieldsOf<typeof clientFields> {}

const stageFields = {
  name: fields.char({ required: true }),
  state: fields.selection({ draft: 'Draft', sent: 'Sent', sold: 'Sold' }, { required: true }),
  user_id: fields.many2one('core.user'),
};
export interface Stage extends FieldsOf<typeof stageFields> {}

const basketFields = {
  name: fields.char({ required: true, readonly: true, default: sequence('proof.basket') }),
  state: fields.selection(
    { draft: 'Draft', sent: 'Sent', sold: 'Sold', cancelled: 'Cancelled' },
    { required: true, default: 'draft' },
  ),
  stage_id: fields.many2one('proof.stage', { required: true }),
  stage_before_id: fields.many2one('proof.stage'),
  client_id: fields.many2one('proof.client', { required: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  currency_id: fields.many2one('core.currency', { related: 'company_id.currency_id', stored: true }),
  user_id: fields.many2one('core.user', { computed: true, stored: true, editable: true }),
  payment_days: fields.integer({ min: 0, max: 365, computed: true, stored: true, editable: true }),
  watcher_ids: fields.many2many('core.user', { computed: true, stored: true, editable: true }),
  ordered_at: fields.datetime({ required: true, default: now }),
  sold_at: fields.datetime(),
  reason: fields.text(),
  note: fields.char({ default: companyValue('name') }),
  urgent: fields.boolean(),
  item_ids: fields.one2many('proof.item', 'basket_id'),
  item_count: fields.integer({ computed: true, stored: true }),
  total: fields.monetary({ computed: true, stored: true }),
  title: fields.char({ computed: true }),
};
export interface Basket extends FieldsOf<typeof basketFields, 'stage_id'> {}
export interface BasketCalls extends CallsOf<typeof basket> {}

const itemFields = {
  basket_id: fields.many2one('proof.basket', { required: true, ondelete: 'cascade' }),
  name: fields.char({ required: true }),
  quantity: fields.decimal({ required: true, default: 1 }),
  price: fields.monetary({ required: true }),
  subtotal: fields.monetary({ computed: true, stored: true }),
};
export interface Item extends FieldsOf<typeof itemFields> {}

declare module '@kontor/addon' {
  interface Models {
    'proof.client': Client;
    'proof.stage': Stage;
    'proof.basket': Basket;
    'proof.item': Item;
  }
  interface Calls {
    'proof.basket': BasketCalls;
  }
}

export const sendAsks = { to: fields.char({ required: true }), copy: fields.boolean() };
async function send({ answers, env, records }: ActionCall<'proof.basket', typeof sendAsks>): Promise<void> {
  const to: string = answers.to;
  await env.model('proof.basket').write(records.ids, { note: to });
}

export const basket = defineModel('proof.basket', {
  label: 'Basket',
  order: '-ordered_at, client_id.name, -id',
  fields: basketFields,
  computes: {
    payment_days: { depends: ['client_id.payment_days'], value: ({ client_id }) => client_id?.payment_days ?? null },
    user_id: { depends: ['client_id.user_id'], value: ({ client_id }, { user }) => client_id?.user_id ?? user },
    watcher_ids: {
      depends: ['user_id'],
      value: ({ user_id }, { changed }) => (changed('user_id') && user_id ? [user_id] : undefined),
    },
    item_count: { count: 'item_ids' },
    total: { sum: 'item_ids.subtotal' },
    title: {
      depends: ['name', 'client_id.country_id.code', 'item_ids.name'],
      value: (draft) =>
        `${draft.name ?? 'New'} ${draft.client_id?.country_id?.code ?? ''} ${draft.item_ids[0]?.name ?? ''}`,
    },
  },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft', 'cancelled'],
    locks: { sold: ['client_id', 'company_id', 'item_ids'], cancelled: 'all' },
    stages: {
      field: 'stage_id',
      state: (stage) => stage.state,
      within: { user_id: 'user_id' },
      before: 'stage_before_id',
    },
    conditions: {
      has_items: { reads: ['item_count'], holds: ({ item_count }) => item_count > 0, message: 'Add an item first.' },
    },
  },
  moves: {
    send: {
      from: ['draft', 'sent'],
      to: 'sent',
      label: 'Send',
      icon: 'send',
      needs: ['has_items'],
      asks: sendAsks,
      proposes: async ({ records }) => {
        const [first] = await records.load('client_id.name');
        return { value: { to: first?.client_id.name ?? null } };
      },
      run: send,
      undo: false,
    },
    sell: { from: ['draft', 'sent'], to: 'sold', label: 'Sell', needs: ['has_items'], sets: { sold_at: now } },
    cancel: [
      { from: ['draft', 'sent'], to: 'cancelled', label: 'Cancel' },
      {
        from: 'sold',
        to: 'cancelled',
        label: 'Cancel the sale',
        groups: ['proof.group_manager'],
        refusal: 'Ask a manager.',
        warns: 'Cancel what is sold?',
      },
    ],
    refuse: {
      from: 'sent',
      to: 'cancelled',
      label: 'Rejected',
      asks: { reason: fields.text({ required: true }) },
      sets: { reason: answer },
      run: async ({ answers }) => void answers.reason.trim(),
    },
    reopen: {
      from: ['sent', 'cancelled'],
      to: 'draft',
      label: 'Reopen',
      sets: { user_id: currentUser, note: null, urgent: true },
    },
  },
  actions: {
    hand_over: {
      label: 'Hand over',
      asks: { user_id: fields.many2one('core.user', { required: true }), note: fields.text() },
      async run({ records, answers, env }) {
        const id: number = answers.user_id;
        const note: string | null = answers.note;
        await env.model('proof.basket').write(records.ids, { user_id: id, note });
        return open('proof.basket', { view: 'list', domain: [['user_id', '=', id]] });
      },
    },
    // What `call` gave is returned, so the type is said: it would depend on itself.
    sell_now: {
      async run({ records, env }): Promise<ActionAnswer> {
        return env.model('proof.basket').call(records.ids, 'sell');
      },
    },
    print: { needs: 'read', run: async () => {} },
    async count({ records }) {
      await records.load('item_ids.quantity');
    },
  },
  uniques: {
    number: { fields: ['name', 'company_id'], message: 'This number is already in use.' },
    one_urgent: {
      fields: ['client_id'],
      where: [
        ['urgent', '=', true],
        ['state', 'in', ['draft', 'sent']],
      ],
    },
  },
  constraints: {
    dated: {
      on: ['ordered_at', 'sold_at'],
      reads: ['client_id.basket_ids.urgent'],
      serialize: ['client_id'],
      holds: ({ ordered_at: from, sold_at: to }) => to === null || to >= from,
      message: 'Too early.',
    },
  },
});
export const item = defineModel('proof.item', {
  fields: itemFields,
  computes: {
    subtotal: {
      depends: ['quantity', 'price'],
      value: ({ quantity, price }) => (quantity ?? new Decimal(0)).times(price ?? 0),
    },
  },
});
export const stage = defineModel('proof.stage', { fields: stageFields });
export const client = defineModel('proof.client', { fields: clientFields });
