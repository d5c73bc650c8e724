import '@addons/base';
import { type CallsOf, type FieldsOf, fields, inheritModel, openRelated } from '@kontor/addon';

const partnerFields = {
  buyer_reference: fields.char({
    size: 100,
    help: 'For electronic invoices. Public authorities in Germany call it Leitweg-ID.',
  }),
  invoice_ids: fields.one2many('invoice.invoice', 'partner_id'),
  invoice_count: fields.integer({ computed: true, label: 'Invoices' }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof partnerFields> {}
  interface CorePartnerCalls extends CallsOf<typeof invoicePartner> {}
}

export const invoicePartner = inheritModel('core.partner', {
  fields: partnerFields,
  computes: { invoice_count: { count: 'invoice_ids' } },
  actions: {
    view_invoices: openRelated('invoice.invoice', 'partner_id', {
      action: 'invoice.all_invoices',
      view: 'list',
      below: true,
    }),
  },
});
