// Checked by `tsc`: every line below `@ts-expect-error` is a mistake in a model that does not compile.
import './proof/shop-margin.ts';
import {
  answer,
  companyValue,
  currentCompany,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
  inheritModel,
  now,
  today,
} from '@kontor/addon';

// Fields
// @ts-expect-error an option that does not exist
fields.char({ sizee: 3 });
// @ts-expect-error an option of another type
fields.integer({ size: 3 });
// @ts-expect-error a default of the wrong type
fields.integer({ default: 'one' });
// @ts-expect-error a default that is worked out to the wrong type
fields.integer({ default: ({ today: day }) => day });
// @ts-expect-error a default that is not among the values
fields.selection({ draft: 'Draft', sold: 'Sold' }, { default: 'sodl' });
// @ts-expect-error today is a day, not an instant
fields.datetime({ default: today });
// @ts-expect-error a company where a user belongs
fields.many2one('core.user', { default: currentCompany });
// @ts-expect-error the current user is a record
fields.char({ default: currentUser });
// @ts-expect-error a model that does not exist
fields.many2one('proof.baskte');
// @ts-expect-error lines are not computed and overruled
fields.one2many('proof.item', 'basket_id', { computed: true, stored: true, editable: true });
// @ts-expect-error a model that no addon declares
defineModel('proof.baskets', { fields: {} });

// Related paths and inverses, checked where the model is defined
const wrongInverse = { other_ids: fields.one2many('proof.item', 'baskt_id') };
// @ts-expect-error the items have no such field
inheritModel('proof.basket', { fields: wrongInverse });
const foreignInverse = { other_ids: fields.one2many('proof.item', 'basket_id') };
// @ts-expect-error that field points at another model
inheritModel('proof.client', { fields: foreignInverse });
const wrongRelated = { country: fields.char({ related: 'client_id.country_id.nme' }) };
// @ts-expect-error a path that does not exist
inheritModel('proof.basket', { fields: wrongRelated });
const otherRelated = { country: fields.char({ related: 'client_id.payment_days' }) };
// @ts-expect-error a path of another type
inheritModel('proof.basket', { fields: otherRelated });

const wrongDefault = { title: fields.char({ default: companyValue('nme') }) };
// @ts-expect-error a company has no such field
inheritModel('proof.basket', { fields: wrongDefault });
const otherDefault = { title: fields.char({ default: companyValue('parent_id') }) };
// @ts-expect-error a company's field of another type
inheritModel('proof.basket', { fields: otherDefault });

// Computes
inheritModel('proof.basket', {
  // @ts-expect-error a path that does not exist
  computes: { payment_days: { depends: ['client_id.payment_dys'], value: () => 1 } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a path that does not exist, four steps away
  computes: { title: { depends: ['item_ids.basket_id.client_id.country_id.cod'], value: () => '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error nothing follows a field that is no relation
  computes: { title: { depends: ['name.length'], value: () => '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a field that it does not depend on
  computes: { title: { depends: ['name'], value: (draft) => draft.note ?? '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a field behind a relation that it does not depend on
  computes: { title: { depends: ['client_id.user_id'], value: (draft) => draft.client_id?.name ?? '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error in a draft the client may be missing, although it is required
  computes: { payment_days: { depends: ['client_id.payment_days'], value: (draft) => draft.client_id.payment_days } },
});
inheritModel('proof.basket', {
  // @ts-expect-error in a draft the number may be missing, although it is required
  computes: { title: { depends: ['name'], value: (draft) => draft.name.trim() } },
});
inheritModel('proof.basket', {
  // @ts-expect-error in the items of a draft values may be missing too
  computes: { title: { depends: ['item_ids.name'], value: (draft) => draft.item_ids[0]?.name.trim() ?? '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error text where a number belongs
  computes: { payment_days: { depends: ['name'], value: (draft) => draft.name } },
});
inheritModel('proof.basket', {
  // @ts-expect-error null where a value is promised
  computes: { title: { depends: ['note'], value: (draft) => draft.note } },
});
inheritModel('proof.basket', {
  // @ts-expect-error money is exact
  computes: { total: { depends: [], value: () => 1.5 } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a record of another model
  computes: { user_id: { depends: ['client_id'], value: ({ client_id }) => client_id } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a value that is the same for everyone does not ask who reads it
  computes: { title: { depends: ['name'], value: (_draft, { user }) => `${user?.id}` } },
});
inheritModel('proof.basket', {
  // @ts-expect-error whether a field changed that does not exist
  computes: { payment_days: { depends: ['client_id'], value: (_draft, { changed }) => (changed('clint_id') ? 1 : 2) } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a field that is not declared computed
  computes: { note: { depends: ['name'], value: () => '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a field that does not exist
  computes: { titel: { depends: ['name'], value: () => '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a field of the kernel
  computes: { create_date: { depends: ['name'], value: () => '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error text cannot be summed
  computes: { total: { sum: 'item_ids.name' } },
});

// States and moves
const taskFields = {
  name: fields.char({ required: true }),
  state: fields.selection({ open: 'Open', done: 'Done' }, { required: true, default: 'open' }),
  stage_id: fields.many2one('proof.stage'),
  owner_id: fields.many2one('core.user'),
};
interface Task extends FieldsOf<typeof taskFields> {}
declare module '@kontor/addon' {
  interface Models {
    'proof.task': Task;
  }
}
const known = { fields: taskFields } as const;
// @ts-expect-error a field that is no selection
defineModel('proof.task', { ...known, states: { field: 'name' } });
// @ts-expect-error states without their field
defineModel('proof.task', { ...known, states: { initial: 'open' } });
// @ts-expect-error a state that does not exist
defineModel('proof.task', { ...known, states: { field: 'state', initial: 'opn' } });
// @ts-expect-error a state that does not exist, in a list
defineModel('proof.task', { ...known, states: { field: 'state', removable: ['open', 'dnoe'] } });
// @ts-expect-error locks of a state that does not exist
defineModel('proof.task', { ...known, states: { field: 'state', locks: { dnoe: 'all' } } });
// @ts-expect-error a locked field that does not exist
defineModel('proof.task', { ...known, states: { field: 'state', locks: { done: ['nam'] } } });
// @ts-expect-error a word that is neither `all` nor a list
defineModel('proof.task', { ...known, states: { field: 'state', locks: { done: 'name' } } });
defineModel('proof.task', {
  ...known,
  // @ts-expect-error stages are behind a many2one
  states: { field: 'state', stages: { field: 'name', state: () => 'open' } },
});
defineModel('proof.task', {
  ...known,
  // @ts-expect-error a stage leads to a state that does not exist
  states: { field: 'state', stages: { field: 'stage_id', state: () => 'opn' } },
});
defineModel('proof.task', {
  ...known,
  states: {
    field: 'state',
    // @ts-expect-error a field that the stage does not have
    stages: { field: 'stage_id', state: (stage) => (stage.stat === 'sold' ? 'done' : 'open') },
  },
});
defineModel('proof.task', {
  ...known,
  // @ts-expect-error a field that stages do not have
  states: { field: 'state', stages: { field: 'stage_id', state: () => 'open', within: { owner_id: 'owner_id' } } },
});
// @ts-expect-error a state that does not exist, in another addon
inheritModel('proof.basket', { states: { field: 'state', locks: { sodl: ['note'] } } });
const at = { ...known, states: { field: 'state' } } as const;
// @ts-expect-error a move from a state that does not exist
defineModel('proof.task', { ...at, moves: { end: { from: 'opn', to: 'done', label: 'End' } } });
// @ts-expect-error a move from a state that does not exist, in a list
defineModel('proof.task', { ...at, moves: { end: { from: ['open', 'opn'], to: 'done', label: 'End' } } });
// @ts-expect-error a move to a state that does not exist
defineModel('proof.task', { ...at, moves: { end: { from: 'open', to: 'dnoe', label: 'End' } } });
// @ts-expect-error a move without an end
defineModel('proof.task', { ...at, moves: { end: { from: 'open', label: 'End' } } });
// @ts-expect-error a move without a label
defineModel('proof.task', { ...at, moves: { end: { from: 'open', to: 'done' } } });
// @ts-expect-error one variant of a move that leads nowhere
defineModel('proof.task', { ...at, moves: { end: [{ from: 'open', to: 'dnoe', label: 'End' }] } });
defineModel('proof.task', {
  ...known,
  states: {
    field: 'state',
    conditions: { is_owned: { reads: ['owner_id'], holds: (task) => task.owner_id !== null, message: 'Whose?' } },
  },
  // @ts-expect-error a condition that does not exist
  moves: { end: { from: 'open', to: 'done', label: 'End', needs: ['is_ownd'] } },
});
defineModel('proof.task', {
  ...known,
  states: {
    field: 'state',
    // @ts-expect-error a field that the condition does not read
    conditions: { is_owned: { reads: ['owner_id'], holds: (task) => task.name !== '', message: 'Whose?' } },
  },
});
// @ts-expect-error a field that does not exist
inheritModel('proof.basket', { moves: { hold: { from: 'sold', to: 'sent', sets: { sold_att: now } } } });
// @ts-expect-error a value of the wrong type
inheritModel('proof.basket', { moves: { hold: { from: 'sold', to: 'sent', sets: { payment_days: 'x' } } } });
// @ts-expect-error an instant for a text
inheritModel('proof.basket', { moves: { hold: { from: 'sold', to: 'sent', sets: { note: now } } } });
// @ts-expect-error a field that is only computed
inheritModel('proof.basket', { moves: { hold: { from: 'sold', to: 'sent', sets: { title: 'x' } } } });
// @ts-expect-error an answer that nobody asks for
inheritModel('proof.basket', { moves: { hold: { from: 'sold', to: 'sent', sets: { note: answer } } } });
inheritModel('proof.basket', {
  moves: {
    // @ts-expect-error an answer that was not asked for
    hold: { from: 'sold', to: 'sent', asks: { why: fields.text() }, run: async ({ answers }) => void answers.wyh },
  },
});
inheritModel('proof.basket', {
  // @ts-expect-error first values for what is not asked
  moves: { hold: { asks: { why: fields.text() }, proposes: async () => ({ value: { wyh: 'x' } }) } },
});

// Actions
inheritModel('proof.basket', {
  // @ts-expect-error an answer that may be empty
  actions: { hold: { asks: { why: fields.text() }, run: async ({ answers }) => void answers.why.trim() } },
});
// @ts-expect-error something else than a field is asked
inheritModel('proof.basket', { actions: { hold: { asks: { why: 'text' }, run: async () => {} } } });
// @ts-expect-error an address that is made by hand
inheritModel('proof.basket', { actions: { hold: { run: async () => ({ redirect: '/web' }) } } });
// @ts-expect-error an option that does not exist
inheritModel('proof.basket', { actions: { hold: { lable: 'Hold', run: async () => {} } } });
// @ts-expect-error a path that does not exist
inheritModel('proof.basket', { actions: { hold: { run: async ({ records }) => void (await records.load('nme')) } } });
// @ts-expect-error a path that does not exist, in the short form
inheritModel('proof.basket', { actions: { hold: async ({ records }) => void (await records.load('nme')) } });

// Order, uniques, constraints
// @ts-expect-error a field that does not exist
inheritModel('proof.basket', { order: '-ordered_ta, id' });
// @ts-expect-error a field that does not exist, second
inheritModel('proof.basket', { order: '-ordered_at, idd' });
// @ts-expect-error a field that does not exist, behind a relation
inheritModel('proof.basket', { order: 'client_id.nme' });
// @ts-expect-error a field that is not in the database
inheritModel('proof.basket', { order: 'title' });
// @ts-expect-error a field that does not exist
inheritModel('proof.basket', { uniques: { once: { fields: ['nme'] } } });
inheritModel('core.partner', { acyclic: { family: { over: ['parent_id', 'child_ids'], message: 'No.' } } });
inheritModel('proof.basket', {
  // @ts-expect-error a relation to another model
  acyclic: { once: { over: ['client_id'], message: 'No.' } },
});
inheritModel('core.partner', {
  // @ts-expect-error a field that does not exist
  acyclic: { family: { over: ['parent_id'], message: 'No.', field: 'parnt_id' } },
});
inheritModel('core.partner', {
  // @ts-expect-error a field that is no date
  due: { label: 'Partners', icon: 'users', date: 'name', by: 'user_id', open: [] },
});
inheritModel('proof.basket', {
  // @ts-expect-error a value that is not among the states
  uniques: { once: { fields: ['client_id'], where: [['state', '=', 'sodl']] } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a lock on a field that does not exist
  constraints: { dated: { on: ['name'], serialize: ['client'], holds: () => true, message: '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a lock on a field that is no many2one
  constraints: { dated: { on: ['name'], serialize: ['name'], holds: () => true, message: '' } },
});
inheritModel('proof.basket', {
  // @ts-expect-error a path that does not exist
  constraints: { dated: { on: ['name'], reads: ['item_ids.cost'], holds: () => true, message: '' } },
});
