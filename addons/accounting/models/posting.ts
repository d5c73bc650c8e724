import '@addons/base';
import { defineModel, type FieldsOf, fields } from '@kontor/addon';
import { refuseChange } from './entry.ts';

const postingFields = {
  entry_id: fields.many2one('accounting.entry', { label: 'Entry', required: true, ondelete: 'cascade', index: true }),
  debit_account_id: fields.many2one('accounting.account', {
    label: 'Debit',
    required: true,
    ondelete: 'restrict',
    index: true,
  }),
  credit_account_id: fields.many2one('accounting.account', {
    label: 'Credit',
    required: true,
    ondelete: 'restrict',
    index: true,
  }),
  amount: fields.monetary({ required: true, min: 0, currency: 'company_currency_id' }),
  document_amount: fields.monetary({
    label: 'In document currency',
    required: true,
    min: 0,
    currency: 'currency_id',
    help: '0 for exchange differences, which only the currency of the company has.',
  }),
  currency_id: fields.many2one('core.currency', { label: 'Currency of the document', required: true }),
  tax_id: fields.many2one('sale.tax', { label: 'Tax', ondelete: 'restrict', index: true }),
  tax_kind: fields.selection(
    {
      taxed: 'Taxed',
      reverse: 'Reverse charge',
      export: 'Export, not taxable',
      exempt: 'Exempt from tax',
      none: 'Without tax',
    },
    { label: 'Tax treatment', index: true },
  ),
  tax_base: fields.monetary({
    label: 'Net',
    required: true,
    default: 0,
    currency: 'company_currency_id',
    help: 'What the tax is charged on. Credit notes count as negative.',
  }),
  tax_amount: fields.monetary({ label: 'Tax amount', required: true, default: 0, currency: 'company_currency_id' }),
  date: fields.related('entry_id.date', { stored: true }),
  period_id: fields.related('entry_id.period_id', { stored: true }),
  partner_id: fields.related('entry_id.partner_id', { stored: true }),
  company_id: fields.related('entry_id.company_id', { stored: true }),
  company_currency_id: fields.related('entry_id.company_currency_id', { stored: true }),
};

export interface AccountingPosting extends FieldsOf<typeof postingFields> {}
declare module '@kontor/addon' {
  interface Models {
    'accounting.posting': AccountingPosting;
  }
}

/** An amount that is debited to one account and credited to another, so that debits always equal credits. */
export const accountingPosting = defineModel('accounting.posting', {
  label: 'Posting',
  order: '-date, -entry_id, id',
  displayName: '{entry_id}: {debit_account_id.code} {credit_account_id.code}',
  fields: postingFields,
  indexes: ['company_id, -date', 'period_id, tax_kind'],
  constraints: {
    two_accounts: {
      on: ['debit_account_id', 'credit_account_id'],
      holds: ({ debit_account_id: debit, credit_account_id: credit }) => debit?.id !== credit?.id,
      message: 'Debit and credit are the same account.',
    },
  },
  hooks: {
    on: [
      ...['entry_id', 'debit_account_id', 'credit_account_id', 'amount', 'document_amount', 'currency_id'],
      ...['tax_id', 'tax_kind', 'tax_base', 'tax_amount'],
    ] as const,
    beforeWrite: refuseChange,
    beforeUnlink: refuseChange,
  },
});
