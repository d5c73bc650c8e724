import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const own = { readonly: true, copy: false } as const;

const conversationFields = {
  model: fields.char({ required: true, size: 128, names: 'model', ...own }),
  res_id: fields.integer({ required: true, label: 'Record', ...own }),
  mailbox_id: fields.many2one('mail.mailbox', { label: 'Mailbox', required: true, ondelete: 'cascade', ...own }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, ...own }),
  subject: fields.char({ personal: true, size: 500, ...own }),
  sender_name: fields.char({ personal: true, label: 'From', size: 200, ...own }),
  sender_email: fields.char({ personal: true, size: 320, index: true, ...own }),
  partner_id: fields.many2one('core.partner', { label: 'Contact', ondelete: 'set null', ...own }),
  preview: fields.char({ personal: true, size: 200, ...own, help: 'The beginning of the newest message.' }),
  mark: fields.selection(
    { message: 'Message', bounce: 'Not delivered', auto: 'Automatic reply' },
    { label: 'Kind', required: true, default: 'message', ...own },
  ),
  message_count: fields.integer({ required: true, default: 0, ...own }),
  file_count: fields.integer({ required: true, default: 0, ...own }),
  last_at: fields.datetime({ label: 'Newest message', required: true, ...own }),
  received_at: fields.datetime({ label: 'Received', required: true, ...own }),
  is_ours: fields.boolean({ label: 'The newest message is ours', ...own }),
  state: fields.selection(
    { open: 'Open', snoozed: 'Snoozed', closed: 'Closed' },
    { required: true, default: 'open', ...own },
  ),
  snoozed_until: fields.datetime(own),
  snoozed_by: fields.many2one('core.user', { ondelete: 'set null', ...own }),
  user_id: fields.many2one('core.user', { label: 'Assigned to', ondelete: 'set null', ...own }),
  answering_id: fields.many2one('core.user', { label: 'Answering', ondelete: 'set null', ...own }),
  answering_until: fields.datetime(own),
};
export interface MailConversation extends FieldsOf<typeof conversationFields> {}

const seenFields = {
  conversation_id: fields.many2one('mail.conversation', { required: true, ondelete: 'cascade', index: true, ...own }),
  user_id: fields.many2one('core.user', { label: 'Person', required: true, ondelete: 'cascade', ...own }),
  seen_at: fields.datetime({ label: 'Read', required: true, ...own }),
};
interface MailConversationSeen extends FieldsOf<typeof seenFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.conversation': MailConversation;
    'mail.conversation.seen': MailConversationSeen;
  }
}

/**
 * The e-mails of one record, or one that waits unsorted (`mail.incoming`), as the inbox shows them. It has no access rows: whoever may
 * read the record sees its conversation, only through the inbox.
 */
export const mailConversation = defineModel('mail.conversation', {
  label: 'Conversation',
  order: '-last_at, -id',
  displayName: '{subject}',
  about: { model: 'model', id: 'res_id' },
  quiet: true,
  fields: conversationFields,
  uniques: { one: { fields: ['model', 'res_id'], message: 'The record has a conversation already.' } },
  indexes: ['state, -last_at, -id', 'state, snoozed_until'],
});

/** Until when a person has read a conversation. */
export const mailConversationSeen = defineModel('mail.conversation.seen', {
  label: 'Read conversation',
  order: 'id',
  displayName: '{conversation_id.subject}',
  quiet: true,
  fields: seenFields,
  uniques: { one: { fields: ['conversation_id', 'user_id'], message: 'It is marked already.' } },
});
