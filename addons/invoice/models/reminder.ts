import { currentUser, defineModel, type FieldsOf, fields, now, today } from '@kontor/addon';

const reminderFields = {
  invoice_id: fields.many2one('invoice.invoice', { required: true }),
  step: fields.integer({ required: true, min: 1, max: 3, aggregate: 'none' }),
  date: fields.date({ required: true, default: today }),
  sent_at: fields.datetime({ label: 'Sent on', required: true, default: now }),
  user_id: fields.many2one('core.user', { label: 'Sent by', default: currentUser }),
  document_id: fields.many2one('invoice.document', { ondelete: 'restrict' }),
  company_id: fields.related('invoice_id.company_id', { stored: true }),
};

export interface InvoiceReminder extends FieldsOf<typeof reminderFields> {}
declare module '@kontor/addon' {
  interface Models {
    'invoice.reminder': InvoiceReminder;
  }
}

/** A reminder that was sent. Only the server makes it. */
export const invoiceReminder = defineModel('invoice.reminder', {
  label: 'Reminder',
  order: 'invoice_id, step',
  displayName: '{invoice_id} {step}',
  partOf: 'invoice_id',
  fields: reminderFields,
  uniques: { once: { fields: ['invoice_id', 'step'], message: 'This reminder was sent already.' } },
});
