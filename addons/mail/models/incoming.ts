import {
  type CallsOf,
  defineModel,
  type FieldsOf,
  fields,
  now,
  openPath,
  queueFields,
  queueIndexes,
} from '@kontor/addon';
import { forgetUnsorted } from '../inbox/keep-conversation.ts';
import { fileAsks, fileByHand } from '../incoming/file-by-hand.ts';
import { reasons } from '../incoming/reasons.ts';
import { keepKnown } from '../incoming/receive.ts';

const own = { readonly: true, copy: false } as const;
const { state: _state, ...queued } = queueFields;

const incomingFields = {
  mailbox_id: fields.many2one('mail.mailbox', {
    label: 'Mailbox',
    required: true,
    ondelete: 'restrict',
    readonly: true,
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, readonly: true }),
  fingerprint: fields.char({
    required: true,
    size: 64,
    ...own,
    help: 'The same for an e-mail that is received twice.',
  }),
  raw: fields.binary({ personal: true, secret: true, ...own, help: 'The e-mail as it came, until it is filed.' }),
  size: fields.integer({ label: 'Bytes', required: true, ...own }),
  envelope_to: fields.text({ personal: true, ...own, help: 'Recipients that the provider named.' }),
  received_at: fields.datetime({ label: 'Received', required: true, default: now, readonly: true }),
  state: fields.selection(
    { waiting: 'Waiting', running: 'Being read', filed: 'Filed', unsorted: 'Unsorted', dead: 'Unreadable' },
    { required: true, default: 'waiting', sets: { open: ['unsorted', 'dead'] }, ...own },
  ),
  ...queued,
  subject: fields.char({ personal: true, size: 500, ...own }),
  sender_name: fields.char({ personal: true, label: 'From', size: 200, ...own }),
  sender_email: fields.char({ personal: true, label: 'Sender’s address', size: 320, index: true, ...own }),
  partner_id: fields.many2one('core.partner', { label: 'Contact', ondelete: 'set null', ...own }),
  body: fields.html({ personal: true, label: 'Message', ...own }),
  folded: fields.html({ personal: true, label: 'Signature and history', ...own }),
  file_names: fields.text({ personal: true, label: 'Files', ...own }),
  pictures: fields.text({
    personal: true,
    ...own,
    help: 'Addresses of pictures on other servers, which are loaded on demand.',
  }),
  invitation: fields.json({ personal: true, ...own, label: 'Invitation' }),
  invitation_answer: fields.selection({ yes: 'Yes', maybe: 'Maybe', no: 'No' }, { label: 'Answer', ...own }),
  answered_id: fields.many2one('core.user', { label: 'Answered by', ondelete: 'set null', ...own }),
  answered_at: fields.datetime({ label: 'Answered', ...own }),
  mark: fields.selection(
    { message: 'Message', bounce: 'Not delivered', auto: 'Automatic reply' },
    { label: 'Kind', required: true, default: 'message', ...own },
  ),
  answers_ref: fields.char({
    ...{ label: 'Answered e-mail', size: 64 },
    ...own,
    help: 'The first part of the Message-ID of our e-mail that it answers.',
  }),
  reason: fields.selection(reasons, own),
  is_history: fields.boolean({
    label: 'History',
    ...own,
    help: 'It arrived before the mailbox was connected: it creates nothing and is not unread.',
  }),
  problem: fields.text({ ...own, help: 'Why the alias could not create a record.' }),
  model: fields.char({ size: 128, names: 'model', ...own }),
  res_id: fields.integer({ label: 'Record', ...own }),
};
export interface MailIncoming extends FieldsOf<typeof incomingFields> {}
export interface MailIncomingCalls extends CallsOf<typeof mailIncoming> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.incoming': MailIncoming;
  }
  interface Calls {
    'mail.incoming': MailIncomingCalls;
  }
}

/** An e-mail that came in, and what became of it. */
export const mailIncoming = defineModel('mail.incoming', {
  label: 'Incoming e-mail',
  order: '-id',
  displayName: '{subject}',
  closedToAgents: true,
  quiet: true,
  fields: incomingFields,
  uniques: { once: { fields: ['mailbox_id', 'fingerprint'], message: 'This e-mail was received already.' } },
  indexes: [...queueIndexes, 'state, -id', 'model, res_id'],
  hooks: {
    /** What stays known: the same e-mail is not received again. */
    beforeUnlink: ({ env, ids }) => keepKnown(env, ids),
    /** With them their conversations. */
    afterUnlink: ({ env, ids }) => forgetUnsorted(env, ids),
  },
  actions: {
    file: { label: 'File on a record', icon: 'folder', asks: fileAsks, run: fileByHand },
    original: {
      label: 'Original',
      icon: 'download',
      needs: 'read',
      single: 'Choose one e-mail.',
      run: async ({ records }) => openPath(`/web/mail/incoming/${(await records.only('id')).id}.eml`),
    },
  },
});
