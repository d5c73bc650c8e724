import '@addons/base';
import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';

const accountFields = {
  code: fields.char({ required: true, size: 16, index: true }),
  name: fields.char({ required: true, size: 120 }),
  kind: fields.selection(
    {
      receivable: 'Receivables',
      bank: 'Bank',
      cash: 'Cash',
      revenue: 'Revenue',
      tax: 'Sales tax',
      exchange: 'Exchange differences',
      other: 'Other',
    },
    { label: 'Used for', required: true, default: 'other', index: true },
  ),
  percent: fields.decimal({
    label: 'Tax rate',
    precision: [7, 4],
    min: 0,
    max: 100,
    aggregate: 'none',
    help: 'Only for revenue or tax at this rate. If empty, for all rates without an account of their own.',
  }),
  treatment: fields.selection(
    { reverse: 'Reverse charge', export: 'Export, not taxable', exempt: 'Exempt from tax' },
    { label: 'Tax treatment', help: 'Only for revenue without tax of this kind.' },
  ),
  datev_key: fields.char({
    label: 'DATEV tax key',
    size: 4,
    help: '40 for accounts at which DATEV would calculate the tax itself.',
  }),
  debit_ids: fields.one2many('accounting.posting', 'debit_account_id', { label: 'Debits' }),
  credit_ids: fields.one2many('accounting.posting', 'credit_account_id', { label: 'Credits' }),
  debit: fields.monetary({ computed: true }),
  credit: fields.monetary({ computed: true }),
  balance: fields.monetary({ computed: true, help: 'Debits less credits.' }),
  currency_id: fields.related('company_id.currency_id', { label: 'Currency' }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  active: fields.boolean({ default: true }),
};

export interface AccountingAccount extends FieldsOf<typeof accountFields> {}
declare module '@kontor/addon' {
  interface Models {
    'accounting.account': AccountingAccount;
  }
}

export const accountingAccount = defineModel('accounting.account', {
  label: 'Account',
  order: 'code',
  displayName: '{code} {name}',
  fields: accountFields,
  uniques: { code: { fields: ['code', 'company_id'], message: 'An account with this code already exists.' } },
  computes: {
    debit: { sum: 'debit_ids.amount' },
    credit: { sum: 'credit_ids.amount' },
    balance: {
      depends: ['debit', 'credit'],
      value: ({ debit, credit }) => debit.minus(credit),
    },
  },
  constraints: {
    rate_has_use: {
      on: ['kind', 'percent', 'treatment'],
      holds: ({ kind, percent, treatment }) =>
        (percent === null || kind === 'revenue' || kind === 'tax') && (treatment === null || kind === 'revenue'),
      message: 'Only accounts for revenue and sales tax have a tax rate or a tax treatment.',
      field: 'kind',
    },
  },
});
