/** The calls that are measured. `@id`, `@partner`, `@lead` and `@n` become an order, a partner, a lead and a number that is new each time. */
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

const newOrder = call('create', [
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
]).replace('"@partner"', '@partner');

export const calls = {
  list: call('search_read', [filter, columns], { limit: 80, order: '-date_order, -id' }),
  page1000: call('search_read', [[], columns], { limit: 80, offset: 79_920, order: '-date_order, -id' }),
  read: call('read', [['@id'], columns]).replace('"@id"', '@id'),
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
  write: call('write', [['@id'], { note: 'Gate @n' }]).replace('"@id"', '@id'),
  // A model of the shipped apps: with stages, hooks, tracked fields and fields that others follow from.
  lead: call('write', [['@lead'], { job_position: 'Buyer @n', source: 'fair' }], {}, 'crm.lead').replace(
    '"@lead"',
    '@lead',
  ),
};
