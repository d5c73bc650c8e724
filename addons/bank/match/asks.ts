import { fields } from '@kontor/addon';

/** What may be said when an entry is confirmed; nothing: what is suggested. */
export const confirmAsks = {
  invoice_ids: fields.many2many('invoice.invoice', {
    label: 'Invoices',
    help: 'In the order in which they are settled. Empty: those that are suggested.',
  }),
  partner_id: fields.many2one('core.partner', {
    label: 'Customer',
    help: 'Without an invoice the amount is their credit.',
  }),
};
