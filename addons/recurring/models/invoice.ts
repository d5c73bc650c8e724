import '@addons/invoice';
import { type ActionCall, type CallsOf, type FieldsOf, fields, inheritModel, open } from '@kontor/addon';

const invoiceFields = {
  recurring_id: fields.many2one('recurring.plan', {
    label: 'Recurring invoice',
    readonly: true,
    copy: false,
    index: true,
    ondelete: 'restrict',
  }),
  recurring_date: fields.date({ label: 'Planned for', readonly: true, copy: false }),
};

declare module '@addons/invoice' {
  interface InvoiceInvoice extends FieldsOf<typeof invoiceFields> {}
  interface InvoiceInvoiceCalls extends CallsOf<typeof recurringInvoice> {}
}

export const recurringInvoice = inheritModel('invoice.invoice', {
  fields: invoiceFields,
  uniques: {
    once: { fields: ['recurring_id', 'recurring_date'], message: 'This recurring invoice was created already.' },
  },
  actions: {
    /** Opens a new plan that repeats the invoice. */
    repeat: {
      label: 'Repeat',
      icon: 'repeat',
      needs: 'read',
      single: 'Choose one invoice.',
      run: async ({ records }: ActionCall<'invoice.invoice'>) => {
        const { id, name, partner_id: customer } = await records.only('name', 'partner_id.name');
        const context = { default_template_id: id, default_name: [customer.name, name].filter(Boolean).join(' ') };
        return open('recurring.plan', { action: 'recurring.plans', view: 'form', context });
      },
    },
  },
});
