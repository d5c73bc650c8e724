import { type CallsOf, currentUser, defineModel, type FieldsOf, fields, now, openPath } from '@kontor/addon';

const sentFields = {
  order_id: fields.many2one('sale.order', { label: 'Order', required: true, ondelete: 'cascade', index: true }),
  version: fields.integer({ required: true, min: 1, aggregate: 'average' }),
  kind: fields.selection(
    { quotation: 'Quotation', confirmation: 'Order confirmation' },
    { label: 'Sent as', required: true, default: 'quotation' },
  ),
  sent_at: fields.datetime({ label: 'Sent on', required: true, default: now }),
  user_id: fields.many2one('core.user', { label: 'Sent by', ondelete: 'set null', default: currentUser }),
  recipient: fields.char({ label: 'To', required: true, size: 320, personal: true }),
  subject: fields.char({ required: true, size: 200, personal: true }),
  body: fields.text({ label: 'Message', personal: true }),
  amount_total: fields.monetary({ label: 'Total', required: true }),
  currency_id: fields.many2one('core.currency', { label: 'Currency' }),
  changes: fields.text({ label: 'What changed', help: 'Since the version before.' }),
  content: fields.json({ help: 'What the page said, to compare it with the next version.' }),
  name: fields.char({ label: 'File', required: true, size: 255, personal: true }),
  mimetype: fields.char({ label: 'Type', required: true, size: 127, default: 'application/pdf' }),
  // Empty once the customer was erased.
  data: fields.binary({ label: 'PDF', personal: true }),
  sha256: fields.char({ label: 'SHA-256', size: 64, help: 'Of the PDF.' }),
  is_latest: fields.boolean({ label: 'The customer has this', computed: true }),
  company_id: fields.related('order_id.company_id', { stored: true }),
};

export interface SaleOrderSent extends FieldsOf<typeof sentFields> {}
export interface SaleOrderSentCalls extends CallsOf<typeof saleOrderSent> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.order.sent': SaleOrderSent;
  }
  interface Calls {
    'sale.order.sent': SaleOrderSentCalls;
  }
}

/** What a customer was sent: the mail, its page and what it said. Only the server writes it, and nobody changes it. */
export const saleOrderSent = defineModel('sale.order.sent', {
  label: 'Sent version',
  order: '-id',
  displayName: '{name}',
  partOf: 'order_id',
  timeline: {
    emails: {
      ...{ label: 'E-mails', icon: 'mail', date: 'sent_at', of: 'order_id.partner_id', title: 'subject' },
      shows: ['user_id', 'recipient', 'order_id'],
    },
  },
  fields: sentFields,
  computes: {
    is_latest: {
      depends: ['order_id.last_sent_id'],
      value: ({ id, order_id: order }) => order?.last_sent_id?.id === id,
    },
  },
  actions: {
    open: {
      label: 'Open PDF',
      icon: 'file-text',
      needs: 'read',
      single: 'Choose one version.',
      run: async ({ records }) => openPath(`/web/sale/sent/${(await records.only()).id}.pdf`),
    },
  },
});
