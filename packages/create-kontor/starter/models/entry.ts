import { type CallsOf, defineModel, type FieldsOf, fields, now } from '@kontor/addon';

const entryFields = {
  name: fields.char({ required: true, label: 'Title', size: 200 }),
  partner_id: fields.many2one('core.partner', { label: 'Contact' }),
  date_due: fields.date({ label: 'Due' }),
  summary: fields.char({ label: 'Summary', computed: true }),
  state: fields.selection({ open: 'Open', done: 'Done' }, { required: true, default: 'open' }),
  done_at: fields.datetime({ label: 'Done at', readonly: true }),
  note: fields.text({ label: 'Notes' }),
};

export interface StarterEntry extends FieldsOf<typeof entryFields> {}
export interface StarterEntryCalls extends CallsOf<typeof starterEntry> {}
declare module '@kontor/addon' {
  interface Models {
    'starter.entry': StarterEntry;
  }
  interface Calls {
    'starter.entry': StarterEntryCalls;
  }
}

export const starterEntry = defineModel('starter.entry', {
  label: 'Entry',
  noCompany: 'Entries are shared by all companies.',
  order: 'date_due, name',
  fields: entryFields,
  indexes: ['date_due, name'],
  computes: {
    summary: {
      depends: ['name', 'partner_id.name'],
      value: ({ name, partner_id: contact }) => [name, contact?.name].filter(Boolean).join(', '),
    },
  },
  states: {
    field: 'state',
    initial: 'open',
    removable: ['open'],
    locks: { done: ['date_due', 'partner_id'] },
    conditions: {
      is_dated: { reads: ['date_due'], holds: (entry) => entry.date_due !== null, message: 'Enter a due date.' },
    },
  },
  moves: {
    finish: { from: 'open', to: 'done', label: 'Done', icon: 'check', needs: ['is_dated'], sets: { done_at: now } },
    reopen: { from: 'done', to: 'open', label: 'Open again', sets: { done_at: null } },
  },
});
