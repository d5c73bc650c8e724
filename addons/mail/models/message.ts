import '@addons/base';
import { defineModel, type FieldsOf, fields, now } from '@kontor/addon';

const messageFields = {
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  kind: fields.selection(
    { comment: 'Comment', tracking: 'Change', system: 'System', email: 'E-mail' },
    { required: true, default: 'comment' },
  ),
  body: fields.html({ personal: true }),
  date: fields.datetime({ default: now, help: 'When it was posted.' }),
  author_id: fields.many2one('core.user', { label: 'Author', ondelete: 'set null' }),
  agent: fields.char({ size: 40, readonly: true, help: 'The agent that did it in the name of the author.' }),
  tracking: fields.json({ personal: true }),
  post_key: fields.char({
    size: 100,
    unique: true,
    help: 'The author and the key of the post: each is accepted once.',
  }),
  subject: fields.char({ personal: true, size: 500 }),
  sender_name: fields.char({ personal: true, size: 200, help: 'Who wrote an e-mail from outside.' }),
  sender_email: fields.char({ personal: true, size: 320 }),
  partner_id: fields.many2one('core.partner', { label: 'Contact', ondelete: 'set null', index: true }),
  folded: fields.html({ personal: true, label: 'Signature and history' }),
  mark: fields.selection({ message: 'Message', bounce: 'Not delivered', auto: 'Automatic reply' }),
  message_ref: fields.char({
    label: 'Message-ID',
    size: 500,
    index: true,
    help: 'Of the e-mail that it came as, or that it was sent as: answers name it.',
  }),
  is_shared: fields.boolean({ label: 'Shown to the customer', help: 'Written by the customer, or to them.' }),
  recipients: fields.text({ personal: true, label: 'Sent to', help: 'Addresses of people outside.' }),
  people: fields.json({ personal: true, label: 'People', help: 'Recipients, copies and the address for answers.' }),
  failed_to: fields.text({
    ...{ personal: true, label: 'Not delivered to' },
    help: 'Addresses of people outside from which it came back.',
  }),
  send_at: fields.datetime({ label: 'Send on', help: 'Of a message to people outside: it is not sent before.' }),
  news_at: fields.datetime({
    default: now,
    index: true,
    help: 'When followers are told of it. Empty once they have been.',
  }),
  source: fields.text({ personal: true, help: 'What was typed, for a message that is taken back.' }),
  is_signed: fields.boolean({ default: true, help: 'Whether the signature of the author is below a message.' }),
  lang: fields.char({ size: 20, label: 'Language', help: 'Of a message from a template.' }),
  pictures: fields.text({
    personal: true,
    help: 'Addresses of pictures on other servers, which are loaded on demand.',
  }),
  invitation: fields.json({ personal: true, label: 'Invitation' }),
  invitation_answer: fields.selection({ yes: 'Yes', maybe: 'Maybe', no: 'No' }, { label: 'Answer' }),
  answered_id: fields.many2one('core.user', { label: 'Answered by', ondelete: 'set null' }),
  answered_at: fields.datetime({ label: 'Answered' }),
  gone_at: fields.datetime({ index: true, help: 'When its record was deleted.' }),
};
export interface MailMessage extends FieldsOf<typeof messageFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.message': MailMessage;
  }
}

/**
 * Comments and changes of a record. It has no access rows: users who may read the record read its messages, only
 * through the chatter.
 */
export const mailMessage = defineModel('mail.message', {
  label: 'Message',
  noCompany: 'A message has the rules of the record that it is about.',
  order: '-id',
  displayName: '{model} {res_id} #{id}',
  about: { model: 'model', id: 'res_id', where: [['kind', '!=', 'tracking']] },
  quiet: true,
  timeline: {
    emails: {
      ...{ label: 'E-mails', icon: 'mail', date: 'date', title: 'subject' },
      about: { model: 'model', id: 'res_id' },
      where: [
        ['kind', '=', 'email'],
        ['mark', '=', 'message'],
        ['gone_at', '=', null],
      ],
      shows: ['author_id', 'sender_name'],
    },
  },
  fields: messageFields,
  indexes: ['model, res_id, -id', '-date, -id', 'author_id, kind', 'author_id, send_at'],
});

const fileFields = {
  message_id: fields.many2one('mail.message', { required: true, ondelete: 'cascade', index: true }),
  name: fields.char({ personal: true, required: true, size: 255 }),
  mimetype: fields.char({ label: 'Type', required: true, size: 127 }),
  size: fields.integer({ required: true, help: 'In bytes.' }),
  data: fields.binary({ personal: true, required: true }),
  removed_at: fields.datetime({ index: true, help: 'When it was removed; it can be restored for a while.' }),
};
interface MailMessageFile extends FieldsOf<typeof fileFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.message.file': MailMessageFile;
  }
}

/** A file attached to a message. Like the message, it is accessible only through the chatter of its record. */
export const mailMessageFile = defineModel('mail.message.file', {
  label: 'Attachment',
  order: 'id',
  quiet: true,
  timeline: {
    files: {
      ...{ label: 'Files', icon: 'paperclip', date: 'create_date' },
      about: { model: 'message_id.model', id: 'message_id.res_id' },
      where: [['removed_at', '=', null]],
    },
  },
  fields: fileFields,
});
