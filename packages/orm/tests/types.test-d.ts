// Checked by `tsc`: every `@ts-expect-error` below is a mistake that must not compile.
import {
  type ActionCall,
  currentUser,
  Decimal,
  type Draft,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
  inheritModel,
  type Loaded,
  openPath,
  type RecordOf,
  sequence,
  sum,
  today,
  type WriteValues,
} from '@kontor/orm/author';

const countryFields = { name: fields.char({ required: true }), code: fields.char({ required: true, size: 2 }) };
interface Country extends FieldsOf<typeof countryFields> {}

const customerFields = {
  name: fields.char({ required: true }),
  country_id: fields.many2one('proof.country'),
  payment_days: fields.integer({ required: true, default: 30 }),
  order_ids: fields.one2many('proof.order', 'customer_id'),
};
interface Customer extends FieldsOf<typeof customerFields> {}

const orderFields = {
  name: fields.char({ required: true, readonly: true, default: sequence('proof.order') }),
  state: fields.selection(
    { draft: 'Draft', sale: 'Order' },
    { required: true, default: 'draft', sets: { open: ['draft'] } },
  ),
  customer_id: fields.many2one('proof.customer', { required: true }),
  delivery_id: fields.many2one('proof.customer'),
  tag_ids: fields.many2many('proof.country'),
  line_ids: fields.one2many('proof.line', 'order_id'),
  day: fields.date({ default: today }),
  note: fields.text(),
  extra: fields.json(),
  paid: fields.boolean(),
  payment_days: fields.integer(),
  discount: fields.decimal({ precision: [5, 2] }),
  amount_total: fields.monetary({ computed: true, stored: true }),
  title: fields.char({ computed: true }),
  ratio: fields.float({ computed: true, required: false }),
  line_count: fields.integer({ computed: true }),
  buyer_id: fields.many2one('proof.customer', { computed: true, required: false }),
};
interface Order extends FieldsOf<typeof orderFields> {}

const lineFields = {
  order_id: fields.many2one('proof.order', { required: true, ondelete: 'cascade' }),
  quantity: fields.decimal({ required: true, default: 1 }),
  unit_price: fields.monetary({ required: true }),
  subtotal: fields.monetary({ computed: true, stored: true }),
  state: fields.related('order_id.state', { stored: true }),
  customer_id: fields.related('order_id.customer_id', { stored: true }),
};
interface Line extends FieldsOf<typeof lineFields> {}

declare module '@kontor/orm' {
  interface Models {
    'proof.country': Country;
    'proof.customer': Customer;
    'proof.order': Order;
    'proof.line': Line;
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const ok = <_T extends true>() => {};

// Records take their types from their fields.
ok<Equal<RecordOf<'proof.order'>['state'], 'draft' | 'sale'>>();
ok<Equal<RecordOf<'proof.order'>['name'], string>>();
ok<Equal<RecordOf<'proof.order'>['note'], string | null>>();
ok<Equal<RecordOf<'proof.order'>['paid'], boolean>>();
ok<Equal<RecordOf<'proof.order'>['extra'], unknown>>();
ok<Equal<RecordOf<'proof.order'>['amount_total'], Decimal>>();
ok<Equal<RecordOf<'proof.order'>['discount'], Decimal | null>>();
ok<Equal<RecordOf<'proof.order'>['ratio'], number | null>>();
ok<Equal<RecordOf<'proof.order'>['display_name'], string>>();

ok<Equal<RecordOf<'proof.order'>['customer_id']['id'], number>>();
ok<Equal<Loaded<'proof.order', 'customer_id.name'>['customer_id']['name'], string>>();
ok<Equal<Loaded<'proof.order', 'line_ids.subtotal'>['line_ids'][number]['subtotal'], Decimal>>();
// In a draft what is required may be missing, in its lines and in the record whose line it is.
ok<Equal<Draft<'proof.order', 'name'>['name'], string | null>>();
ok<Equal<Draft<'proof.order', 'paid'>['paid'], boolean>>();
ok<Equal<Draft<'proof.order', 'amount_total'>['amount_total'], Decimal>>();
ok<Equal<Draft<'proof.order', 'line_ids.quantity'>['line_ids'][number]['quantity'], Decimal | null>>();
ok<Equal<NonNullable<Draft<'proof.line', 'order_id.name'>['order_id']>['name'], string | null>>();
ok<Equal<NonNullable<Draft<'proof.order', 'customer_id.name'>['customer_id']>['name'], string>>();

// What compiles: deep paths, aggregates, onchange, constraints, actions, hooks.
defineModel('proof.order', {
  label: 'Order',
  order: '-id',
  fields: orderFields,
  computes: {
    amount_total: {
      depends: ['line_ids.subtotal', 'discount'],
      value: (order) => sum(order.line_ids, (line) => line.subtotal).minus(order.discount ?? 0),
    },
    title: {
      depends: ['name', 'delivery_id.country_id.code', 'line_ids.order_id.customer_id.country_id.name'],
      value: (order) => {
        ok<Equal<(typeof order)['name'], string | null>>();
        ok<Equal<NonNullable<NonNullable<(typeof order)['delivery_id']>['country_id']>['code'], string>>();
        const deep: string | undefined = order.line_ids[0]?.order_id?.customer_id?.country_id?.name;
        return `${order.name} ${deep}`;
      },
    },
    ratio: { depends: ['amount_total'], value: (order) => (order.amount_total.eq(0) ? null : 1) },
    line_count: { count: 'line_ids' },
    buyer_id: {
      depends: ['delivery_id', 'customer_id'],
      value: (order) => order.delivery_id?.id ?? order.customer_id,
    },
  },
  onchange: {
    customer_id: {
      reads: ['customer_id.payment_days'],
      value: (draft) => ({ payment_days: draft.customer_id?.payment_days }),
    },
    state: {
      value: (draft) =>
        draft.paid ? { answer: { warning: { title: 'Paid', message: draft.name ?? '' } } } : undefined,
    },
  },
  constraints: {
    has_lines_when_sold: {
      on: ['state', 'line_ids'],
      reads: ['line_ids.subtotal'],
      holds: (order) => order.state !== 'sale' || order.line_ids.every((line) => line.subtotal.gt(0)),
      message: 'Add a line before confirming.',
      field: 'line_ids',
    },
  },
  uniques: { one_name: { fields: ['name', 'customer_id'] } },
  actions: {
    async confirm({ env, records }) {
      const orders = await records.load('name', 'line_ids.quantity');
      ok<Equal<(typeof orders)[number]['name'], string>>();
      await env.model('proof.order').write(records.ids, { state: 'sale', discount: '0.10' });
    },
    print: {
      needs: 'read',
      asks: { page: fields.integer() },
      run: async ({ answers }) => openPath(`/web/print?${answers.page ?? 1}`),
    },
  },
  hooks: {
    async beforeCreate({ values }) {
      // What is required may still be missing or null: it is checked afterwards.
      ok<Equal<(typeof values)[number]['state'], 'draft' | 'sale' | null | undefined>>();
      return values.map((row) => ({ discount: '0.10', ...row }));
    },
    async beforeWrite({ values }) {
      ok<Equal<(typeof values)['discount'], Decimal | null | undefined>>();
      return { ...values, note: values.state ?? null };
    },
    async afterWrite({ values }) {
      ok<Equal<(typeof values)['discount'], Decimal | null | undefined>>();
      ok<Equal<(typeof values)['state'], 'draft' | 'sale' | undefined>>();
      ok<Equal<(typeof values)['customer_id'], number | undefined>>();
      ok<Equal<(typeof values)['day'], string | null | undefined>>();
      for (const command of values.line_ids ?? []) {
        if (command[0] === 'create') ok<Equal<(typeof command)[1]['quantity'], Decimal | null | undefined>>();
      }
    },
  },
});
defineModel('proof.line', {
  fields: lineFields,
  computes: {
    subtotal: {
      depends: ['quantity', 'unit_price'],
      value: ({ quantity, unit_price }) => (quantity ?? new Decimal(0)).times(unit_price ?? 0),
    },
  },
});
inheritModel('proof.order', { onchange: { state: { value: (draft) => ({ note: draft.state }) } } });
inheritModel('proof.order', {
  computes: { amount_total: { sum: 'line_ids.subtotal' } },
  actions: { confirm: async (call, base) => base(call) },
});

export async function reads(env: Env): Promise<void> {
  const orders = env.model('proof.order');
  const rows = await orders.searchRead(
    [['customer_id.country_id.code', '=', 'DE'], '|', ['paid', '=', true], ['state', 'in', ['sale']]],
    ['name', 'customer_id', 'customer_id.display_name', 'tag_ids', 'amount_total', { line_ids: ['quantity'] }],
    { limit: 10 },
  );
  ok<Equal<(typeof rows)[number]['name'], string>>();
  ok<Equal<(typeof rows)[number]['customer_id'], number>>();
  ok<Equal<(typeof rows)[number]['customer_id.display_name'], string | null>>();
  ok<Equal<(typeof rows)[number]['tag_ids'], readonly number[]>>();
  ok<Equal<(typeof rows)[number]['amount_total'], Decimal>>();
  rows[0]?.line_ids;
  const [loaded] = await orders.load([1], ['customer_id.country_id.name', 'tag_ids.code']);
  ok<Equal<NonNullable<typeof loaded>['tag_ids'][number]['code'], string>>();
  await orders.create({
    name: 'S1',
    customer_id: 3,
    discount: 0.5,
    delivery_id: null,
    line_ids: [
      ['create', { quantity: new Decimal('1.5'), unit_price: '9.99' }],
      ['update', 4, { quantity: 2 }],
      ['link', 5],
    ],
    tag_ids: [['set', [1, 2]], ['clear']],
  });
  // @ts-expect-error a path that does not exist in a domain
  await orders.search([['custmer_id.name', '=', 'x']]);
  // @ts-expect-error an operator that does not exist
  await orders.search([['name', '==', 'x']]);
  // @ts-expect-error a path that does not exist in a projection
  await orders.searchRead([], ['nme']);
  // @ts-expect-error a nested projection of a field that is no relation
  await orders.searchRead([], [{ name: ['x'] }]);
  // @ts-expect-error a path that does not exist
  await orders.load([1], ['customer_id.country_id.nme']);
  // @ts-expect-error only what was loaded can be read
  loaded?.customer_id.name;
  // @ts-expect-error only what was asked for can be read
  rows[0]?.state;
  // @ts-expect-error an unknown model
  env.model('proof.ordr');
  // @ts-expect-error a state that is not declared
  await orders.write([1], { state: 'sold' });
  // @ts-expect-error an unknown field
  await orders.write([1], { stat: 'sale' });
  // @ts-expect-error a system column
  await orders.write([1], { id: 3 });
  // @ts-expect-error a number where text belongs
  await orders.write([1], { note: 3 });
  // @ts-expect-error a required field cannot be emptied
  await orders.write([1], { customer_id: null });
  // @ts-expect-error a record where its id belongs
  await orders.write([1], { customer_id: { id: 3 } });
  // @ts-expect-error an unknown command
  await orders.write([1], { line_ids: [['add', 3]] });
  // @ts-expect-error a command without its id
  await orders.write([1], { line_ids: [['link']] });
  // @ts-expect-error a command with an unknown field
  await orders.write([1], { line_ids: [['create', { qty: 3 }]] });
  // @ts-expect-error ids where commands belong
  await orders.write([1], { line_ids: [3, 4] });
}

// Fields
// @ts-expect-error an unknown model
fields.many2one('proof.ordr');
// @ts-expect-error an unknown model
fields.one2many('proof.lin', 'order_id');
// @ts-expect-error a default that is not among the values
fields.selection({ draft: 'Draft' }, { default: 'sale' });
// @ts-expect-error an option that does not exist
fields.char({ sizee: 3 });
// @ts-expect-error an option of another type
fields.integer({ size: 3 });
// @ts-expect-error a default of the wrong type
fields.integer({ default: 'one' });
// @ts-expect-error today is a day, not an instant
fields.datetime({ default: today });
// @ts-expect-error the current user is a record
fields.char({ default: currentUser });

// @ts-expect-error a set of values that the selection does not have
fields.selection({ draft: 'Draft' }, { sets: { open: ['drft'] } });
// @ts-expect-error only a selection has sets
fields.char({ sets: { open: ['draft'] } });

// Related fields have the type of the field at the end of their path
export const relatedState = (line: RecordOf<'proof.line'>): 'draft' | 'sale' | null => line.state;
export const relatedName = (line: Loaded<'proof.line', 'customer_id.name'>): string | undefined =>
  line.customer_id?.name;
// @ts-expect-error a choice that the order does not have
export const wrongState = (line: RecordOf<'proof.line'>): boolean => line.state === 'sold';
inheritModel('proof.line', { uniques: { u: { fields: ['order_id'], where: [['state', 'in', 'open']] } } });
// @ts-expect-error no such set on the field at the end of the path
inheritModel('proof.line', { uniques: { u: { fields: ['order_id'], where: [['state', 'in', 'opn']] } } });
// @ts-expect-error a path that does not exist
inheritModel('proof.line', { fields: { other: fields.related('order_id.nme') } });
// @ts-expect-error nobody writes a related field
export const written: WriteValues<'proof.line'> = { state: 'sale' };

// Values from a relation
inheritModel('proof.order', { fields: { payment_days: fields.integer({ from: 'customer_id.payment_days' }) } });
// @ts-expect-error a path that does not exist
inheritModel('proof.order', { fields: { payment_days: fields.integer({ from: 'customer_id.payment_dys' }) } });
// @ts-expect-error a value of another type
inheritModel('proof.order', { fields: { note: fields.text({ follows: 'customer_id.payment_days' }) } });

// Computes
inheritModel('proof.order', {
  // @ts-expect-error a path that does not exist
  computes: { amount_total: { depends: ['line_ids.subtotl'], value: () => new Decimal(1) } },
});
inheritModel('proof.line', {
  // @ts-expect-error a path that does not exist, three hops away
  computes: { subtotal: { depends: ['order_id.customer_id.country_id.cod'], value: () => new Decimal(1) } },
});
// @ts-expect-error nothing can follow a field that is no relation
inheritModel('proof.order', { computes: { title: { depends: ['name.length'], value: () => '' } } });
// @ts-expect-error text where money belongs
inheritModel('proof.order', { computes: { amount_total: { depends: ['name'], value: (order) => order.name } } });
// @ts-expect-error money is exact, a binary number is not
inheritModel('proof.order', { computes: { amount_total: { depends: [], value: () => 1.5 } } });
// @ts-expect-error null where a value is promised
inheritModel('proof.order', { computes: { title: { depends: ['note'], value: (order) => order.note } } });
// @ts-expect-error a field that the compute does not depend on
inheritModel('proof.order', { computes: { title: { depends: ['name'], value: (order) => order.state } } });
inheritModel('proof.order', {
  // @ts-expect-error a field of a line that the compute does not depend on
  computes: { title: { depends: ['line_ids.quantity'], value: (o) => `${o.line_ids[0]?.subtotal}` } },
});
// @ts-expect-error a compute of a field that does not exist
inheritModel('proof.order', { computes: { amount_totl: { depends: [], value: () => new Decimal(1) } } });
// @ts-expect-error text cannot be summed
inheritModel('proof.order', { computes: { amount_total: { sum: 'tag_ids.code' } } });
// @ts-expect-error a sum needs lines
inheritModel('proof.order', { computes: { amount_total: { sum: 'customer_id.payment_days' } } });
// @ts-expect-error a count needs lines
inheritModel('proof.order', { computes: { line_count: { count: 'customer_id' } } });

// Onchange
// @ts-expect-error a result the model lacks
inheritModel('proof.order', { onchange: { customer_id: { value: () => ({ nope: 1 }) } } });
// @ts-expect-error a result the model lacks, beside one it has
inheritModel('proof.order', { onchange: { customer_id: { value: () => ({ payment_days: 1, nope: 1 }) } } });
// @ts-expect-error a result of the wrong type
inheritModel('proof.order', { onchange: { customer_id: { value: () => ({ payment_days: 'x' }) } } });
// @ts-expect-error a field behind a relation that was not asked for
inheritModel('proof.order', { onchange: { customer_id: { value: (draft) => ({ note: draft.customer_id?.name }) } } });
// @ts-expect-error a path that does not exist
inheritModel('proof.order', { onchange: { customer_id: { reads: ['customer_id.nme'], value: () => ({}) } } });
// @ts-expect-error a field that does not exist
inheritModel('proof.order', { onchange: { custmer_id: { value: () => ({ note: '' }) } } });

// Sets of states
inheritModel('proof.order', {
  states: { field: 'state', removable: ['open'], locks: { open: ['note'] } },
  moves: { close: { from: 'open', to: 'sale', label: 'Close' } },
  uniques: { u: { fields: ['name'], where: [['state', 'in', 'open']] } },
});
// @ts-expect-error no such set
inheritModel('proof.order', { states: { field: 'state', locks: { opn: ['note'] } } });
// @ts-expect-error a move leads to one state
inheritModel('proof.order', { states: { field: 'state' }, moves: { close: { from: 'sale', to: 'open', label: 'x' } } });
// @ts-expect-error no such set
inheritModel('proof.order', { uniques: { u: { fields: ['name'], where: [['state', 'in', 'opn']] } } });
// @ts-expect-error a set is no value
inheritModel('proof.order', { uniques: { u: { fields: ['name'], where: [['state', '=', 'open']] } } });

// Constraints, uniques, actions, hooks
// @ts-expect-error a field that does not exist
inheritModel('proof.order', { constraints: { c: { on: ['stat'], holds: () => true, message: '' } } });
// @ts-expect-error a path where a field belongs
inheritModel('proof.order', { constraints: { c: { on: ['line_ids.quantity'], holds: () => true, message: '' } } });
// @ts-expect-error a field that the constraint does not read
inheritModel('proof.order', { constraints: { c: { on: ['state'], holds: (order) => order.paid, message: '' } } });
// @ts-expect-error a field that does not exist
inheritModel('proof.order', { uniques: { u: { fields: ['nme'] } } });
// @ts-expect-error a path that does not exist
inheritModel('proof.order', { actions: { a: async ({ records }) => void (await records.load('nme')) } });
// @ts-expect-error an action answers nothing or a redirect
inheritModel('proof.order', { actions: { a: async () => ({ open: '/web' }) } });
// @ts-expect-error a value that is not declared
inheritModel('proof.order', { hooks: { beforeWrite: async ({ values }) => ({ ...values, state: 'sold' }) } });
// @ts-expect-error no such field
inheritModel('proof.order', { hooks: { on: ['sttae'], afterWrite: async () => {} } });
// @ts-expect-error an unknown model
inheritModel('proof.ordr', {});
// @ts-expect-error an option that does not exist
inheritModel('proof.order', { sort: '-id' });

// Helpers by name
export const values: WriteValues<'proof.order'> = { line_ids: [['delete', 3]] };
export const address = (customer: Loaded<'proof.customer', 'country_id.code'>) => customer.country_id?.code;
export async function confirm({ env, records }: ActionCall<'proof.order'>): Promise<void> {
  await env.sudo().model('proof.order').write(records.ids, { paid: true });
  // @ts-expect-error an unknown field
  await env.sudo().model('proof.order').write(records.ids, { payd: true });
}
