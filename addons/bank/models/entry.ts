import '@addons/base';
import '@addons/invoice';
import { answer, type CallsOf, defineModel, editable, type FieldsOf, fields } from '@kontor/addon';
import { confirmAsks } from '../match/asks.ts';
import { confirmEntries, reopenEntries } from '../match/confirm.ts';

/** Why an entry is no payment of a customer. */
export const asideReasons = {
  fee: 'Bank fee or interest',
  own: 'Between own accounts',
  expense: 'Expense or supplier',
  wages: 'Wages or tax',
  private: 'Private',
  returned: 'Returned payment',
  booked: 'Registered by hand already',
  other: 'Something else',
} as const;

const entryFields = {
  statement_id: fields.many2one('bank.statement', {
    ...{ label: 'Statement', required: true, readonly: true, index: true, ondelete: 'cascade' },
  }),
  account_id: fields.many2one('bank.account', {
    ...{ label: 'Bank account', required: true, readonly: true, index: true, ondelete: 'restrict' },
  }),
  state: fields.selection(
    { open: 'Open', matched: 'Matched', aside: 'Set aside' },
    { required: true, readonly: true, default: 'open', index: true },
  ),
  date: fields.date({ label: 'Booked on', required: true, readonly: true, index: true }),
  value_date: fields.date({ label: 'Value date', readonly: true }),
  amount: fields.monetary({ required: true, readonly: true, help: 'Negative: it went out.' }),
  currency_id: fields.many2one('core.currency', { label: 'Currency', required: true, readonly: true, ...editable }),
  party: fields.char({ label: 'Payer or payee', size: 200, readonly: true, personal: true }),
  iban: fields.char({ label: 'Their account', size: 64, format: 'iban', readonly: true, personal: true }),
  text: fields.text({ label: 'Text', readonly: true, personal: true }),
  reference: fields.char({ label: 'Reference', size: 140, readonly: true }),
  bank_reference: fields.char({ label: 'Reference of the bank', size: 140, readonly: true }),
  sent_amount: fields.monetary({ label: 'Sent', readonly: true, currency: 'sent_currency_id' }),
  sent_currency_id: fields.many2one('core.currency', { label: 'Currency sent', readonly: true }),
  is_return: fields.boolean({ label: 'Returned', readonly: true, required: true, default: false }),
  is_fee: fields.boolean({ label: 'Bank fee', readonly: true, required: true, default: false }),
  batch_key: fields.char({ label: 'Key', required: true, readonly: true, size: 64 }),
  part: fields.integer({ label: 'Part', required: true, readonly: true, default: 0, aggregate: 'none' }),
  reason: fields.selection(asideReasons, { label: 'Set aside as', readonly: true }),
  note: fields.char({ size: 200, readonly: true }),
  payment_ids: fields.one2many('invoice.payment', 'bank_entry_id', { label: 'Payments' }),
  partner_id: fields.many2one('core.partner', { label: 'Customer', readonly: true, ondelete: 'restrict', index: true }),
  company_id: fields.related('account_id.company_id', { stored: true }),
};

export interface BankEntry extends FieldsOf<typeof entryFields> {}
export interface BankEntryCalls extends CallsOf<typeof bankEntry> {}
declare module '@kontor/addon' {
  interface Models {
    'bank.entry': BankEntry;
  }
  interface Calls {
    'bank.entry': BankEntryCalls;
  }
}

/** A line of a bank statement, as the bank wrote it. Only the server makes it. */
export const bankEntry = defineModel('bank.entry', {
  label: 'Bank entry',
  order: '-date, id',
  displayName: '{date} {party}',
  fields: entryFields,
  indexes: ['company_id, state, -date'],
  uniques: {
    once: { fields: ['account_id', 'batch_key', 'part'], message: 'This entry was taken in already.' },
  },
  computes: {
    currency_id: {
      depends: ['account_id.currency_id'],
      value: ({ account_id: account }) => account?.currency_id ?? null,
    },
  },
  states: { field: 'state', initial: 'open', removable: ['open', 'aside'], locks: { matched: 'all' } },
  moves: {
    confirm: {
      ...{ from: 'open', to: 'matched', label: 'Confirm', icon: 'check', undo: false },
      asks: confirmAsks,
      proposes: async () => ({ domain: { invoice_ids: [['payment_state', 'in', 'due']] } }),
      run: confirmEntries,
    },
    set_aside: {
      ...{ from: 'open', to: 'aside', label: 'No customer payment', icon: 'archive', undo: false },
      asks: {
        reason: fields.selection(asideReasons, { label: 'It is', required: true }),
        note: fields.char({ label: 'Note', size: 200 }),
      },
      sets: { reason: answer, note: answer },
    },
    reopen: {
      ...{ from: ['matched', 'aside'], to: 'open', label: 'Reopen', icon: 'rotate-ccw', undo: false },
      warns: 'Reopen this entry? Its payments are undone.',
      sets: { reason: null, note: null, partner_id: null },
      run: reopenEntries,
    },
  },
});
