/** The calls that are measured. `@id`, `@partner`, `@lead` and such become ids of what the world has, `@n` a number that is new each time. */
const columns = [
  'name',
  'reference',
  'partner_id',
  'partner_id.display_name',
  'state',
  'date_order',
  'validity_date',
  'confirmed_at',
  'amount_untaxed',
  'amount_total',
  'is_urgent',
  'note',
];
const filter = [
  ['state', '=', 'sale'],
  ['amount_total', '>', 100],
];

const call = (method, args, kwargs = {}, model = 'bench.order') => JSON.stringify({ model, method, args, kwargs });

/** The outer levels of two axes, each with those of the other. */
const levels = (rows, columns) =>
  [0, 1, 2]
    .flatMap((down) => [0, 1, 2].map((across) => [...rows.slice(0, down), ...columns.slice(0, across)]))
    .slice(0, -1);

/** Ids are numbers in JSON. */
const withIds = (text) => text.replace(/"(@[a-z]+)"/g, '$1');

const newLines = [1, 2, 3, 4, 5].map((quantity) => ['create', { product_id: '@product', quantity }]);

const newOrder = withIds(
  call('create', [
    {
      name: 'New @n',
      reference: 'REF-1',
      partner_id: '@partner',
      state: 'draft',
      date_order: '2023-01-15',
      validity_date: '2023-02-15',
      confirmed_at: '2023-01-15T08:00:00Z',
      amount_untaxed: 1200.5,
      amount_total: 1428.6,
      is_urgent: false,
      note: 'Deliver to gate 7',
    },
  ]),
);

export const calls = {
  list: call('search_read', [filter, columns], { limit: 80, order: '-date_order, -id' }),
  page1000: call('search_read', [[], columns], { limit: 80, offset: 79_920, order: '-date_order, -id' }),
  read: withIds(call('read', [['@id'], columns])),
  group: call('read_group', [
    {
      domain: [],
      groupby: ['state', 'date_order:month'],
      fields: [
        { name: 'total', field: 'amount_total', measure: 'sum' },
        { name: 'orders', field: 'id', measure: 'count' },
      ],
    },
  ]),
  pivot: call('read_group', [
    {
      domain: [],
      groupby: ['state', 'is_urgent', 'date_order:quarter', 'date_order:month'],
      fields: [
        { name: 'total', field: 'amount_total', measure: 'sum' },
        { name: 'orders', field: 'id', measure: 'count' },
      ],
      subtotals: levels(['state', 'is_urgent'], ['date_order:quarter', 'date_order:month']),
    },
  ]),
  graph: call('read_group', [
    {
      domain: [['state', '!=', 'cancel']],
      groupby: ['date_order:month', 'state'],
      fields: [{ name: 'total', field: 'amount_total', measure: 'sum' }],
    },
  ]),
  count: call('read_group', [{ domain: filter, groupby: [], fields: [] }]),
  // Older than all others, so that lists of the newest stay what they were.
  create: newOrder,
  keyed: newOrder,
  write: withIds(call('write', [['@id'], { note: 'Gate @n' }])),
  // A model of the shipped apps: with stages, hooks, tracked fields and fields that others follow from.
  lead: withIds(call('write', [['@lead'], { job_position: 'Buyer @n', source: 'fair' }], {}, 'crm.lead')),
  order: withIds(call('create', [{ partner_id: '@partner', line_ids: newLines }], {}, 'sale.order')),
  confirm: withIds(call('call', ['@draft', 'action_confirm'], {}, 'sale.order')),
  move: withIds(call('write', [['@moved'], { stage_id: '@stage' }], {}, 'crm.lead')),
};
