import '@addons/base';
import '@addons/invoice';
import { defineModel, type FieldsOf, fields, UserError } from '@kontor/addon';

const entryFields = {
  name: fields.char({ label: 'Document', required: true, size: 64, index: true }),
  kind: fields.selection(
    { invoice: 'Invoice', payment: 'Payment', difference: 'Exchange difference', reversal: 'Reversal' },
    { required: true },
  ),
  date: fields.date({ required: true, index: true }),
  period_id: fields.many2one('accounting.period', {
    label: 'Period',
    required: true,
    ondelete: 'restrict',
    index: true,
  }),
  partner_id: fields.many2one('core.partner', {
    label: 'Customer',
    required: true,
    ondelete: 'restrict',
    index: true,
  }),
  amount: fields.monetary({
    required: true,
    currency: 'company_currency_id',
    help: 'What the entry changes of the receivables, without its sign.',
  }),
  invoice_id: fields.many2one('invoice.invoice', { label: 'Invoice', ondelete: 'restrict', index: true }),
  payment_id: fields.many2one('invoice.payment', { label: 'Payment', ondelete: 'restrict', index: true }),
  allocation_id: fields.many2one('invoice.allocation', { label: 'Settlement', ondelete: 'set null', index: true }),
  reversed_id: fields.many2one('accounting.entry', { label: 'Reverses', ondelete: 'restrict' }),
  reversal_ids: fields.one2many('accounting.entry', 'reversed_id', { label: 'Reversed by' }),
  posting_ids: fields.one2many('accounting.posting', 'entry_id', { label: 'Postings' }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, ondelete: 'restrict' }),
  company_currency_id: fields.related('company_id.currency_id', { label: 'Currency of the company', stored: true }),
};

export interface AccountingEntry extends FieldsOf<typeof entryFields> {}
declare module '@kontor/addon' {
  interface Models {
    'accounting.entry': AccountingEntry;
  }
}

/** Also for the server: an entry is corrected by another one. */
export const refuseChange = () => Promise.reject(new UserError('Entries stay as they were booked.'));

/** What a document means for the accounts. Only the server makes entries; nothing and nobody changes or deletes them. */
export const accountingEntry = defineModel('accounting.entry', {
  label: 'Journal entry',
  order: '-date, -id',
  fields: entryFields,
  indexes: ['company_id, -date'],
  uniques: {
    invoice_once: {
      fields: ['invoice_id'],
      where: [['kind', '=', 'invoice']],
      message: 'This invoice is booked already.',
    },
    payment_once: {
      fields: ['payment_id'],
      where: [['kind', '=', 'payment']],
      message: 'This payment is booked already.',
    },
    reversed_once: { fields: ['reversed_id'], message: 'This entry is reversed already.' },
  },
  constraints: {
    period_open: {
      on: ['period_id'],
      reads: ['period_id.state'],
      holds: ({ period_id: period }) => period.state === 'open',
      message: 'This period is closed.',
      serialize: ['period_id'],
    },
  },
  hooks: {
    // A settlement may be deleted, and customers may be merged; everything else stays.
    on: [
      ...['name', 'kind', 'date', 'period_id', 'amount', 'invoice_id', 'payment_id', 'reversed_id'],
      ...['posting_ids', 'company_id'],
    ] as const,
    beforeWrite: refuseChange,
    beforeUnlink: refuseChange,
  },
});
