import '@addons/invoice';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

const invoiceFields = {
  time_ids: fields.one2many('project.time', 'invoice_id', { label: 'Time' }),
  time_count: fields.integer({ label: 'Time entries', computed: true }),
};

declare module '@addons/invoice' {
  interface InvoiceInvoice extends FieldsOf<typeof invoiceFields> {}
  interface InvoiceInvoiceCalls extends CallsOf<typeof timeInvoice> {}
}

export const timeInvoice = inheritModel('invoice.invoice', {
  fields: invoiceFields,
  computes: { time_count: { count: 'time_ids' } },
  actions: {
    view_time: openRelated('project.time', 'invoice_id', { action: 'project_invoice.billing_time', view: 'list' }),
  },
});
