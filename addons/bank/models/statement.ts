import '@addons/base';
import { type CallsOf, Decimal, defineModel, type FieldsOf, fields, openRelated, UserError } from '@kontor/addon';

const statementFields = {
  name: fields.char({ label: 'Statement', required: true, readonly: true, size: 140 }),
  account_id: fields.many2one('bank.account', {
    ...{ label: 'Bank account', required: true, readonly: true, index: true, ondelete: 'restrict' },
  }),
  date_from: fields.date({ label: 'From', readonly: true }),
  date_to: fields.date({ label: 'Until', readonly: true, index: true }),
  opening: fields.monetary({ label: 'Opening balance', readonly: true, aggregate: 'none' }),
  closing: fields.monetary({ label: 'Closing balance', readonly: true, aggregate: 'none' }),
  total: fields.monetary({ label: 'Sum of entries', required: true, readonly: true, help: 'Of the whole file.' }),
  known_count: fields.integer({ label: 'Entries taken in before', required: true, readonly: true, default: 0 }),
  difference: fields.monetary({
    ...{ label: 'Difference', computed: true, stored: true, required: false },
    help: 'Opening balance and entries against the closing balance.',
  }),
  gap: fields.monetary({
    ...{ label: 'Gap', readonly: true },
    help: 'The opening balance less the closing balance of the statement before. One is missing if it is not 0.',
  }),
  entry_ids: fields.one2many('bank.entry', 'statement_id', { label: 'Entries' }),
  entry_count: fields.integer({ label: 'Entries', computed: true, stored: true }),
  open_count: fields.integer({ label: 'Open', computed: true, stored: true }),
  currency_id: fields.related('account_id.currency_id', { stored: true }),
  company_id: fields.related('account_id.company_id', { stored: true }),
};

export interface BankStatement extends FieldsOf<typeof statementFields> {}
export interface BankStatementCalls extends CallsOf<typeof bankStatement> {}
declare module '@kontor/addon' {
  interface Models {
    'bank.statement': BankStatement;
  }
  interface Calls {
    'bank.statement': BankStatementCalls;
  }
}

/** A statement as it was read from a file. Only the server makes it. */
export const bankStatement = defineModel('bank.statement', {
  label: 'Bank statement',
  order: '-date_to, -id',
  displayName: '{account_id.name} {name}',
  ownRules: 'A statement is kept by whoever invoices for the company, not by whoever set up the account.',
  fields: statementFields,
  computes: {
    difference: {
      depends: ['opening', 'closing', 'total'],
      value: ({ opening, closing, total }) =>
        opening === null || closing === null ? null : opening.plus(total ?? new Decimal(0)).minus(closing),
    },
    entry_count: { count: 'entry_ids' },
    open_count: {
      depends: ['entry_ids.state'],
      value: ({ entry_ids: entries }) => entries.filter(({ state }) => state === 'open').length,
    },
  },
  hooks: {
    beforeUnlink: async ({ env, ids }) => {
      const used = await env.model('bank.entry').count([
        ['statement_id', 'in', [...ids]],
        ['state', '=', 'matched'],
      ]);
      if (used > 0) throw new UserError('Payments were made from this statement. Reopen its entries first.');
    },
  },
  actions: {
    view_entries: openRelated('bank.entry', 'statement_id', { action: 'bank.entries', view: 'list' }),
  },
});
