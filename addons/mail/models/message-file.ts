import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const fileFields = {
  message_id: fields.many2one('mail.message', { required: true, ondelete: 'cascade', index: true }),
  name: fields.char({ required: true, size: 255 }),
  mimetype: fields.char({ label: 'Type', required: true, size: 127 }),
  size: fields.integer({ required: true, help: 'In bytes.' }),
  data: fields.binary({ required: true }),
};
export interface MailMessageFile extends FieldsOf<typeof fileFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.message.file': MailMessageFile;
  }
}

/** What was attached to a message. As the message itself, it is reached through the chatter of its record alone. */
export const mailMessageFile = defineModel('mail.message.file', {
  label: 'Attachment',
  order: 'id',
  quiet: true,
  fields: fileFields,
});
