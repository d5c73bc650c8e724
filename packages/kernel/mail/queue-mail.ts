import { randomUUID } from 'node:crypto';
import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { slotsOf } from '../runtime/work-slots.ts';
import type { Mail } from './send-mail.ts';

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
  const slots = slotsOf(env.work);
  if (!slots?.canMail) return false;
  await env.db.execute(sql`
    insert into mail_queue (recipient, subject, body_text, body_html, message_id, state, attempts, next_try,
      create_date, write_date)
    values (${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${randomUUID()}, 'queued', 0, now(),
      now(), now())`);
  slots.hasMail = true;
  return true;
}
