import { randomUUID } from 'node:crypto';
import { sql } from '@kontor/database';
import { hasMail, workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { UserError } from '@kontor/protocol';
import type { Mail, MailAttachment } from './send-mail.ts';

/**
 * Puts a mail into the queue, in the transaction of what it tells of; it is sent after the commit. False, and nothing done,
 * where mail is not set up.
 * ```ts
 * export async function sayThanks(env: Env, to: string) {
 *   await queueMail(env, composeMail({ to, subject: 'Thank you', paragraphs: ['Your order is on its way.'] }));
 * }
 * ```
 */
export async function queueMail(env: Pick<Env, 'db' | 'work'>, mail: Mail): Promise<boolean> {
  if (!canMail(env)) return false;
  const files = storedFiles(mail.attachments ?? []);
  await env.db.execute(sql`
    insert into mail_queue (recipient, reply_to, subject, body_text, body_html, attachments, message_id, state, attempts,
      next_try, create_date, write_date)
    values (${mail.to}, ${mail.replyTo ?? null}, ${mail.subject}, ${mail.text}, ${mail.html}, ${files}::jsonb,
      ${randomUUID()}, 'queued', 0, now(), now(), now())`);
  noteMail(env);
  return true;
}

/** As base64, since they wait in a JSON column; most mail servers take no more than this. */
const maxBytes = 15 * 1024 * 1024;

function storedFiles(files: readonly MailAttachment[]): string | null {
  if (files.length === 0) return null;
  const size = files.reduce((total, { content }) => total + content.byteLength, 0);
  if (size > maxBytes) throw new UserError('The attachments of a mail have at most 15 MB together.');
  return JSON.stringify(
    files.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content).toString('base64') })),
  );
}

/** Whether mail is set up; nobody queues what will never be sent. */
export function canMail({ work }: Pick<Env, 'work'>): boolean {
  const state = workState(work);
  return state !== null && hasMail(state.config);
}

/** The note that work leaves behind when mail waits. */
export const mailNote = 'mail queued';

/** This process sends it right after the commit. */
export function noteMail({ work }: Pick<Env, 'work'>): void {
  workState(work)?.notes.add(mailNote);
}
