import { assembleRegistry, defineModel, fields } from '@kontor/orm';

/** The models that the examples of docs/views.md speak of. */
const order = defineModel('sale.order', {
  label: 'Sales order',
  chatter: {},
  fields: {
    name: fields.char({ required: true, size: 64 }),
    state: fields.selection(
      { draft: 'Quotation', sale: 'Sales order', cancel: 'Cancelled' },
      { required: true, default: 'draft', sets: { running: ['draft', 'sale'] } },
    ),
    stage_id: fields.many2one('sale.stage', { label: 'Stage' }),
    partner_id: fields.many2one('core.partner', { required: true, label: 'Customer' }),
    user_id: fields.many2one('core.user', { label: 'Salesperson' }),
    tag_ids: fields.many2many('sale.tag', { label: 'Tags' }),
    payment_days: fields.integer({ min: 0, max: 365 }),
    date_order: fields.datetime({ label: 'Ordered on' }),
    date_start: fields.date({}),
    date_end: fields.date({}),
    all_day: fields.boolean({}),
    progress: fields.float({}),
    priority: fields.selection({ 0: 'Normal', 1: 'High' }),
    sequence: fields.integer({ default: 10 }),
    color: fields.integer({}),
    image: fields.image({}),
    notes: fields.html({ label: 'Notes' }),
    currency_id: fields.many2one('core.currency', { label: 'Currency' }),
    amount_total: fields.monetary({ computed: true, stored: true, label: 'Total' }),
    cost: fields.monetary({ groups: ['sale.group_manager'] }),
    secret: fields.char({ secret: true }),
    line_ids: fields.one2many('sale.order.line', 'order_id', { label: 'Lines' }),
    line_count: fields.integer({ computed: true }),
    depends_on_ids: fields.many2many('sale.order', { label: 'After' }),
    active: fields.boolean({ default: true }),
  },
  computes: { amount_total: { sum: 'line_ids.subtotal' }, line_count: { count: 'line_ids' } },
  onchange: { partner_id: { reads: ['partner_id.payment_days'], value: () => ({}) } },
  states: {
    field: 'state',
    initial: 'draft',
    locks: { sale: ['date_order', 'line_ids'], cancel: ['line_ids'] },
    stages: { field: 'stage_id', state: (stage) => String(stage.state) },
  },
  moves: {
    confirm: { from: 'draft', to: 'sale', label: 'Confirm', icon: 'check' },
    cancel: [
      { from: 'draft', to: 'cancel', label: 'Cancel quotation', icon: 'x' },
      {
        from: 'sale',
        to: 'cancel',
        label: 'Cancel order',
        icon: 'x',
        danger: true,
        groups: ['sale.group_manager'],
        warns: 'Cancel this order?',
        asks: { reason: fields.char({ required: true, label: 'Reason' }), note: fields.text({ label: 'Note' }) },
      },
    ],
    reset: { from: 'cancel', to: 'draft', label: 'Reset to quotation' },
  },
  actions: {
    print: { label: 'Print', icon: 'printer', needs: 'read', run: async () => {} },
    hand_over: {
      label: 'Hand over',
      asks: { user_id: fields.many2one('core.user', { required: true, label: 'Colleague' }) },
      run: async () => {},
    },
    close: { groups: ['sale.group_manager'], run: async () => {} },
  },
});

const line = defineModel('sale.order.line', {
  label: 'Order line',
  order: 'sequence, id',
  fields: {
    order_id: fields.many2one('sale.order', { required: true, ondelete: 'cascade' }),
    sequence: fields.integer({ default: 10 }),
    product: fields.char({ required: true }),
    qty: fields.decimal({ precision: [12, 3], default: 1 }),
    price: fields.decimal({ precision: [16, 2] }),
    state: fields.selection(
      { draft: 'Quotation', sale: 'Sales order', cancel: 'Cancelled' },
      { related: 'order_id.state' },
    ),
    margin: fields.decimal({ groups: ['sale.group_manager'] }),
    subtotal: fields.decimal({ computed: true, stored: true }),
  },
  computes: { subtotal: { depends: ['qty', 'price'], value: () => null } },
});

const stage = defineModel('sale.stage', {
  label: 'Stage',
  order: 'sequence, id',
  fields: {
    name: fields.char({ required: true }),
    sequence: fields.integer({}),
    fold: fields.boolean({}),
    state: fields.selection({ draft: 'Quotation', sale: 'Sales order', cancel: 'Cancelled' }),
  },
});
const tag = defineModel('sale.tag', {
  label: 'Tag',
  fields: { name: fields.char({ required: true }), color: fields.integer({}) },
});
const partner = defineModel('core.partner', {
  label: 'Contact',
  fields: {
    name: fields.char({ required: true }),
    email: fields.char({}),
    is_company: fields.boolean({}),
    payment_days: fields.integer({}),
    latitude: fields.float({}),
    longitude: fields.float({}),
    vat: fields.char({ groups: ['sale.group_manager'] }),
  },
});
const user = defineModel('core.user', { label: 'User', fields: { name: fields.char({ required: true }) } });
const currency = defineModel('core.currency', { label: 'Currency', fields: { name: fields.char({ required: true }) } });

export const exampleModules = [
  { module: 'base', definitions: [partner, user, currency] },
  { module: 'sale', definitions: [order, line, stage, tag] },
];
export const exampleRegistry = assembleRegistry(exampleModules);
