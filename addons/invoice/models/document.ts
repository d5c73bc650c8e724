import { type CallsOf, currentUser, defineModel, type FieldsOf, fields, now, UserError } from '@kontor/addon';
import { openDocument } from '../document/archive.ts';

const documentFields = {
  invoice_id: fields.many2one('invoice.invoice', { required: true }),
  kind: fields.selection(
    { invoice: 'Invoice', reminder: 'Reminder', xrechnung: 'XRechnung' },
    { required: true, default: 'invoice' },
  ),
  sent_at: fields.datetime({ label: 'Sent on', required: true, default: now }),
  user_id: fields.many2one('core.user', { label: 'Sent by', default: currentUser }),
  recipient: fields.char({ label: 'To', size: 320, personal: true, help: 'Empty if it was printed.' }),
  subject: fields.char({ size: 200, personal: true }),
  body: fields.text({ label: 'Message', personal: true }),
  // The law requires invoices to be kept, so that the file stays when a customer is erased.
  name: fields.char({ label: 'File', required: true, size: 255, personal: false }),
  mimetype: fields.char({ label: 'Type', required: true, size: 127, default: 'application/pdf' }),
  data: fields.binary({ label: 'Content', required: true, personal: false }),
  sha256: fields.char({ label: 'SHA-256', required: true, size: 64 }),
  company_id: fields.related('invoice_id.company_id', { stored: true }),
};

export interface InvoiceDocument extends FieldsOf<typeof documentFields> {}
export interface InvoiceDocumentCalls extends CallsOf<typeof invoiceDocument> {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.document': InvoiceDocument;
  }
  interface Calls {
    'invoice.document': InvoiceDocumentCalls;
  }
}

const final = 'What was sent stays as it was.';

/** What left the house, as it was sent. Only the server makes it; nothing and nobody changes or deletes it. */
export const invoiceDocument = defineModel('invoice.document', {
  label: 'Archived document',
  order: '-id',
  displayName: '{name}',
  partOf: 'invoice_id',
  fields: documentFields,
  timeline: {
    emails: {
      ...{ label: 'E-mails', icon: 'mail', date: 'sent_at', of: 'invoice_id.partner_id', title: 'subject' },
      where: [['recipient', '!=', null]],
      shows: ['user_id', 'recipient', 'invoice_id'],
    },
  },
  hooks: {
    // Also the server: it may only empty what it says of a person.
    on: ['invoice_id', 'kind', 'sent_at', 'name', 'mimetype', 'data', 'sha256'],
    beforeWrite: () => Promise.reject(new UserError(final)),
    beforeUnlink: () => Promise.reject(new UserError(final)),
  },
  actions: {
    open: {
      label: 'Open',
      icon: 'file-text',
      needs: 'read',
      single: 'Choose one document.',
      run: async ({ records }) => {
        const { id, kind } = await records.only('kind');
        return openDocument(id, kind);
      },
    },
  },
});
