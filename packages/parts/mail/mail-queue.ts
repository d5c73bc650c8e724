import { sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';
import { noteMail } from './queue-mail.ts';

const mailFields = {
  recipient: fields.char({ required: true, size: 320, label: 'To' }),
  subject: fields.char({ required: true, size: 500 }),
  body_text: fields.text({ secret: true, copy: false, help: 'Links in it may open an account; nobody reads it.' }),
  body_html: fields.text({ secret: true, copy: false }),
  reply_to: fields.char({ size: 320, label: 'Reply to' }),
  attachments: fields.json({ secret: true, copy: false, help: 'Files as base64; nobody reads them.' }),
  message_id: fields.char({ required: true, size: 64, copy: false, help: 'The same for every try.' }),
  state: fields.selection(
    { queued: 'Waiting', sending: 'Being sent', sent: 'Sent', dead: 'Given up' },
    { required: true, default: 'queued', readonly: true },
  ),
  attempts: fields.integer({ required: true, default: 0, readonly: true }),
  next_try: fields.datetime({ required: true, default: now, readonly: true }),
  last_error: fields.text({ readonly: true }),
  sent_at: fields.datetime({ label: 'Sent', readonly: true }),
  locked_by: fields.char({ size: 64, readonly: true }),
  locked_until: fields.datetime({ readonly: true }),
};
export interface MailQueue extends FieldsOf<typeof mailFields> {}
declare module '@kontor/orm' {
  interface Models {
    'mail.queue': MailQueue;
  }
}

export const mailQueue = defineModel('mail.queue', {
  label: 'Mail',
  order: '-id',
  displayName: '{subject}',
  quiet: true,
  fields: mailFields,
  indexes: ['state, next_try'],
  actions: {
    /** Puts mail that was given up back into the queue. */
    resend: {
      groups: ['base.group_system'],
      needs: 'read',
      run: async ({ env, records }) => {
        const count = await env.db.execute(sql`
          update mail_queue set state = 'queued', attempts = 0, next_try = now(), last_error = null,
            locked_by = null, locked_until = null, write_date = now()
          where id = any(${[...records.ids]}::int4[]) and state = 'dead'`);
        if (count < records.ids.length) throw new UserError('Only mail that was given up can be sent again.');
        noteMail(env);
      },
    },
  },
});
