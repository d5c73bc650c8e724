import { randomUUID } from 'node:crypto';
import { type Queryable, sql } from '@kontor/database';
import { noteSaid, type QueueRow } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { type CallsOf, defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { text, UserError } from '@kontor/protocol';
import { wakeQueue } from '../queue/start-queue.ts';
import { canMail } from './mail-server.ts';
import { isMailAddress, type Mail, type MailAttachment } from './send-mail.ts';

const mailFields = {
  recipient: fields.char({ personal: true, required: true, size: 320, label: 'To' }),
  subject: fields.char({ personal: true, required: true, size: 500 }),
  body_text: fields.text({
    personal: true,
    secret: true,
    copy: false,
    help: 'Not readable: links in it may give access to an account.',
  }),
  body_html: fields.text({ personal: true, secret: true, copy: false }),
  reply_to: fields.char({ personal: true, size: 320, label: 'Reply to' }),
  sender: fields.char({ personal: true, size: 600, label: 'From', help: 'If it is not that of the mail server.' }),
  shown_to: fields.text({ personal: true, label: 'Sent to', help: 'Everybody who gets the same message.' }),
  shown_cc: fields.text({ personal: true, label: 'Copies to', help: 'Everybody who gets a copy of the same message.' }),
  answers: fields.char({ size: 500, help: 'The Message-ID of the e-mail that it answers.' }),
  attachments: fields.json({ personal: true, secret: true, copy: false, help: 'Files as base64. Not readable.' }),
  unsubscribe: fields.text({
    ...{ personal: true, secret: true, copy: false },
    help: 'The address that ends e-mails like this one.',
  }),
  reader_id: fields.integer({
    label: 'Reader',
    readonly: true,
    copy: false,
    help: 'A notification is sent only if this user may still read the record.',
  }),
  about_model: fields.char({ size: 128, names: 'model', readonly: true, copy: false }),
  about_id: fields.integer({ label: 'Record', readonly: true, copy: false }),
  message_id: fields.char({ required: true, size: 64, copy: false, help: 'The same for every try.' }),
  state: fields.selection(
    {
      queued: 'Waiting',
      sending: 'Being sent',
      sent: 'Sent',
      unclear: 'Possibly sent',
      dead: 'Given up',
      withdrawn: 'Withdrawn',
    },
    { required: true, default: 'queued', readonly: true },
  ),
  attempts: fields.integer({ required: true, default: 0, readonly: true }),
  next_try: fields.datetime({ required: true, default: now, readonly: true }),
  last_error: fields.text({ readonly: true }),
  handed_at: fields.datetime({
    label: 'Handed over',
    readonly: true,
    copy: false,
    help: 'When the mail server was given the content. It is set before the first byte.',
  }),
  sent_at: fields.datetime({ label: 'Sent', readonly: true }),
  locked_by: fields.char({ size: 64, readonly: true }),
  locked_until: fields.datetime({ readonly: true }),
};
export interface MailQueue extends FieldsOf<typeof mailFields> {}
export interface MailQueueCalls extends CallsOf<typeof mailQueue> {}
declare module '@kontor/orm' {
  interface Models {
    'mail.queue': MailQueue;
  }
  interface Calls {
    'mail.queue': MailQueueCalls;
  }
}

export const mailQueue = defineModel('mail.queue', {
  label: 'Mail',
  noCompany: 'Administrators alone see the queue.',
  order: '-id',
  displayName: '{subject}',
  quiet: true,
  fields: mailFields,
  indexes: ['state, next_try', 'message_id'],
  actions: {
    /** Puts mail back into the queue that was given up, or that may not have arrived. */
    resend: {
      groups: ['base.group_system'],
      needs: 'read',
      run: async ({ env, records }) => {
        const count = await env.db.execute(sql`
          update mail_queue set state = 'queued', attempts = 0, next_try = now(), last_error = null,
            handed_at = null, locked_by = null, locked_until = null, write_date = now()
          where id = any(${[...records.ids]}::int4[]) and state in ('dead', 'unclear')`);
        if (count < records.ids.length) throw new UserError('Only failed e-mails can be sent again.');
        wakeQueue(env, 'mail.queue');
      },
    },
    /** Settles mail with an unclear outcome: a user knows that it arrived. */
    mark_sent: {
      label: 'Mark as sent',
      groups: ['base.group_system'],
      needs: 'read',
      run: async ({ env, records }) => {
        const count = await env.db.execute(sql`
          update mail_queue set state = 'sent', last_error = null, write_date = now()
          where id = any(${[...records.ids]}::int4[]) and state = 'unclear'`);
        if (count < records.ids.length) throw new UserError('Only e-mails that were possibly sent can be marked.');
        for (const id of records.ids) await forgetContent(env.db, id);
      },
    },
  },
});

/**
 * Adds a mail to the queue, in the current transaction; it is sent after the commit. Returns false, without effect, if mail is not
 * set up.
 * ```ts
 * const onItsWay = defineText('library.on_its_way', { label: 'On its way', subject: 'Your order', body: ['It is on its way.'], values: {} });
 * export async function tellReader(env: Env, to: string, lang: string) {
 *   const said = await renderText(env, onItsWay, { lang }, {});
 *   await queueMail(env, composeMail({ ...said, to }));
 * }
 * ```
 */
export async function queueMail(env: Pick<Env, 'db' | 'work'>, mail: Mail): Promise<boolean> {
  if (!(await canMail(env))) return false;
  if (!isMailAddress(mail.to)) throw new UserError(text('{to} is not one e-mail address.', { to: mail.to }));
  const replyTo = mail.replyTo !== undefined && isMailAddress(mail.replyTo) ? mail.replyTo : null;
  const [shownTo, shownCc] = [mail.toAll, mail.ccAll].map(
    (all) => (all ?? []).filter(isMailAddress).join('\n') || null,
  );
  const files = storedFiles(mail.attachments ?? []);
  const { reader } = mail;
  await env.db.execute(sql`
    insert into mail_queue (sender, recipient, reply_to, shown_to, shown_cc, answers, subject, body_text, body_html, attachments, message_id,
      unsubscribe, reader_id, about_model, about_id, state, attempts, next_try, create_date, write_date)
    values (${senderOf(mail)}, ${mail.to}, ${replyTo}, ${shownTo ?? null}, ${shownCc ?? null}, ${mail.answers ?? null}, ${mail.subject}, ${mail.text}, ${mail.html}, ${files}::jsonb,
      ${mail.key ?? randomUUID()}, ${mail.unsubscribe ?? null}, ${reader?.userId ?? null}::int4, ${reader?.model ?? null},
      ${reader?.id ?? null}::int4, 'queued', 0, coalesce(${mail.at ?? null}::timestamptz, now()), now(), now())`);
  const names = (mail.attachments ?? []).map(({ filename }) => filename);
  const to = [...new Set([mail.to, ...(mail.toAll ?? []), ...(mail.ccAll ?? [])])];
  const answersTo = replyTo === null ? {} : { answersTo: replyTo };
  noteSaid(env, { kind: 'mail', to, ...answersTo, subject: mail.subject, body: mail.text, files: names });
  wakeQueue(env, 'mail.queue');
  return true;
}

/** As JSON: a name may have any character, and an address none that a mail program would read differently. */
function senderOf({ from }: Mail): string | null {
  if (!from || !isMailAddress(from.address)) return null;
  const name = from.name.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return JSON.stringify({ name: name.slice(0, 200), address: from.address });
}

/**
 * Deletes the mails with a key from the queue, if none of them has been handed to the mail server; otherwise nothing, and it returns
 * false.
 * ```ts
 * export async function unsend(env: Env, key: string) {
 *   return (await takeBackMail(env, key)) ? 'It is not sent.' : 'It has been sent already.';
 * }
 * ```
 */
export async function takeBackMail(env: Pick<Env, 'db'>, key: string): Promise<boolean> {
  if (!(await isWaiting(env, key))) return false;
  return (await env.db.execute(sql`delete from mail_queue where message_id = ${key}`)) > 0;
}

/**
 * Another time for the mails with a key; false, without effect, if one of them has been handed to the mail server.
 * ```ts
 * export async function sendTomorrow(env: Env, key: string, tomorrow: string) {
 *   return moveMail(env, key, tomorrow);
 * }
 * ```
 */
export async function moveMail(env: Pick<Env, 'db'>, key: string, at: string): Promise<boolean> {
  if (!(await isWaiting(env, key))) return false;
  const moved = sql`update mail_queue set next_try = ${at}::timestamptz, write_date = now() where message_id = ${key}`;
  return (await env.db.execute(moved)) > 0;
}

/** Locks the mails: a process that is about to claim one of them passes over it, and one that has claimed it is waited for. */
async function isWaiting({ db }: Pick<Env, 'db'>, key: string): Promise<boolean> {
  const rows = await db.query<{ readonly is_waiting: boolean }>(sql`
    select state = 'queued' and handed_at is null and (locked_until is null or locked_until <= now()) as is_waiting
    from mail_queue where message_id = ${key} order by id for update`);
  return rows.length > 0 && rows.every((row) => row.is_waiting);
}

/**
 * What became of the mails with a key; one that is not known any more was sent.
 * ```ts
 * export const isOver = (outcome: MailOutcome) => outcome !== 'waiting';
 * ```
 */
export type MailOutcome = 'waiting' | 'sent' | 'unclear' | 'failed';

/**
 * What became of mails, by their keys: the worst of those with the same key.
 * ```ts
 * export async function isSent(env: Env, key: string) {
 *   return (await mailStates(env, [key])).get(key) === 'sent';
 * }
 * ```
 */
export async function mailStates(
  { db }: Pick<Env, 'db'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, MailOutcome>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{ readonly message_id: string; readonly states: string }>(sql`
    select message_id, string_agg(state, ' ') as states from mail_queue
    where message_id = any(${[...keys]}::text[]) group by message_id`);
  const known = new Map(rows.map((row) => [row.message_id, outcomeOf(row.states.split(' '))]));
  return new Map(keys.map((key) => [key, known.get(key) ?? 'sent']));
}

function outcomeOf(states: readonly string[]): MailOutcome {
  if (states.includes('dead')) return 'failed';
  if (states.includes('unclear')) return 'unclear';
  return states.every((state) => state === 'sent') ? 'sent' : 'waiting';
}

/** As base64, because they wait in a JSON column; most mail servers accept no more than this. */
const maxBytes = 15 * 1024 * 1024;

function storedFiles(files: readonly MailAttachment[]): string | null {
  if (files.length === 0) return null;
  const size = files.reduce((total, { content }) => total + content.byteLength, 0);
  if (size > maxBytes) throw new UserError('The attachments of a mail have at most 15 MB together.');
  return JSON.stringify(
    files.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content).toString('base64') })),
  );
}

interface StoredFile extends Omit<MailAttachment, 'content'> {
  /** Base64. */
  readonly content: string;
}

interface Row {
  readonly sender: string | null;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string | null;
  readonly body_html: string | null;
  readonly reply_to: string | null;
  readonly shown_to: string | null;
  readonly shown_cc: string | null;
  readonly answers: string | null;
  readonly unsubscribe: string | null;
  /** JSON text, as returned by the pool. */
  readonly attachments: string | null;
  readonly message_id: string;
  readonly reader_id: number | null;
  readonly about_model: string | null;
  readonly about_id: number | null;
}

/** A mail with the key of its Message-ID, the same for every try. */
export type WaitingMail = Mail & { readonly key: string };

/** Null if it was deleted meanwhile. */
export async function readMail(db: Queryable, id: number): Promise<WaitingMail | null> {
  const [row] = await db.query<Row>(sql`
    select sender, recipient, reply_to, shown_to, shown_cc, answers, subject, body_text, body_html, attachments, message_id, unsubscribe,
      reader_id, about_model, about_id from mail_queue where id = ${id}::int4`);
  if (!row) return null;
  return {
    to: row.recipient,
    ...(row.sender ? { from: JSON.parse(row.sender) as NonNullable<Mail['from']> } : {}),
    subject: row.subject,
    text: row.body_text ?? '',
    html: row.body_html ?? '',
    ...(row.reply_to ? { replyTo: row.reply_to } : {}),
    ...(row.shown_to ? { toAll: row.shown_to.split('\n') } : {}),
    ...(row.shown_cc ? { ccAll: row.shown_cc.split('\n') } : {}),
    ...(row.answers ? { answers: row.answers } : {}),
    ...(row.unsubscribe ? { unsubscribe: row.unsubscribe } : {}),
    ...(row.reader_id && row.about_model && row.about_id
      ? { reader: { userId: row.reader_id, model: row.about_model, id: row.about_id } }
      : {}),
    attachments: filesOf(row.attachments),
    key: row.message_id,
  };
}

function filesOf(stored: string | null): readonly MailAttachment[] {
  const files = JSON.parse(stored ?? '[]') as readonly StoredFile[];
  return files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
}

/**
 * Records that the content is handed over from now on. Fails if the claim was lost: then another process may have sent
 * it.
 */
export async function recordHandover(db: Queryable, { id, attempts }: QueueRow): Promise<void> {
  const count = await db.execute(sql`
    update mail_queue set handed_at = now(), write_date = now()
    where id = ${id}::int4 and state = 'sending' and attempts = ${attempts}::int4 and locked_until > now()`);
  if (count === 0) throw new Error('The try was lost before the content was handed over.');
}

/**
 * The waiting mails with these keys to one address are not sent any more.
 * ```ts
 * export const leaveOut = (env: Env, key: string) => withdrawMails(env, [key], 'vera@example.com');
 * ```
 */
export async function withdrawMails(
  { db }: Pick<Env, 'db'>,
  keys: readonly string[],
  recipient: string,
): Promise<void> {
  await db.execute(sql`
    delete from mail_queue where message_id = any(${[...keys]}::text[]) and lower(recipient) = lower(${recipient})
      and state = 'queued' and handed_at is null and (locked_until is null or locked_until <= now())`);
}

/** The content of a sent mail is not kept: it may contain links that give access to an account. */
export async function forgetContent(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`
    update mail_queue set sent_at = now(), body_text = null, body_html = null, attachments = null, unsubscribe = null
    where id = ${id}::int4`);
}

/** The same for a mail that is not sent. */
export async function withdrawContent(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`
    update mail_queue set body_text = null, body_html = null, attachments = null, unsubscribe = null where id = ${id}::int4`);
}
