import '@addons/base';
import '@addons/invoice';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';
import { bookDifferences } from '../books/book-differences.ts';
import { bookInvoices } from '../books/book-invoices.ts';
import { bookPayments, reverseEntries } from '../books/book-payments.ts';

const invoiceFields = { entry_ids: fields.one2many('accounting.entry', 'invoice_id', { label: 'Journal entries' }) };
const paymentFields = { entry_ids: fields.one2many('accounting.entry', 'payment_id', { label: 'Journal entries' }) };
const allocationFields = {
  booked_amount: fields.monetary({
    label: 'Booked of the invoice',
    readonly: true,
    copy: false,
    currency: 'company_currency_id',
  }),
  booked_source: fields.monetary({
    label: 'Booked of the payment',
    readonly: true,
    copy: false,
    currency: 'company_currency_id',
  }),
  company_currency_id: fields.related('company_id.currency_id', { label: 'Currency of the company', stored: true }),
};

declare module '@addons/invoice' {
  interface InvoiceInvoice extends FieldsOf<typeof invoiceFields> {}
  interface InvoicePayment extends FieldsOf<typeof paymentFields> {}
  interface InvoiceAllocation extends FieldsOf<typeof allocationFields> {}
  interface InvoiceInvoiceCalls extends CallsOf<typeof bookedInvoice> {}
  interface InvoicePaymentCalls extends CallsOf<typeof bookedPayment> {}
}

/** By hooks, as the server: whatever way an invoice is posted, and whoever posts it, it is booked in the same transaction. */
export const bookedInvoice = inheritModel('invoice.invoice', {
  fields: invoiceFields,
  hooks: {
    on: ['state'],
    afterCreate: ({ env, ids }) => bookInvoices(env.sudo(), ids),
    afterWrite: ({ env, ids }) => bookInvoices(env.sudo(), ids),
  },
  actions: {
    view_entries: openRelated('accounting.entry', 'invoice_id', { action: 'accounting.entries', view: 'list' }),
  },
});

export const bookedPayment = inheritModel('invoice.payment', {
  fields: paymentFields,
  hooks: {
    on: ['state'],
    afterCreate: ({ env, ids }) => bookPayments(env.sudo(), ids),
    afterWrite: async ({ env, ids, values }) => {
      if (values.state === 'cancel') await reverseEntries(env.sudo(), 'payment_id', ids);
    },
  },
  actions: {
    view_entries: openRelated('accounting.entry', 'payment_id', { action: 'accounting.entries', view: 'list' }),
  },
});

export const bookedAllocation = inheritModel('invoice.allocation', {
  fields: allocationFields,
  hooks: {
    on: ['amount', 'payment_amount', 'invoice_id', 'payment_id', 'credit_id'],
    afterCreate: ({ env, ids }) => bookDifferences(env.sudo(), ids),
    afterWrite: async ({ env, ids }) => {
      await reverseEntries(env.sudo(), 'allocation_id', ids);
      await bookDifferences(env.sudo(), ids);
    },
    beforeUnlink: ({ env, ids }) => reverseEntries(env.sudo(), 'allocation_id', ids),
  },
});
