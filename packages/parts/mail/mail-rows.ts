import { type Queryable, sql } from '@kontor/database';
import type { Mail, MailAttachment } from './send-mail.ts';

/** A crash is noticed after this long; what is being sent says every few seconds that it goes on. */
export const mailLeaseSeconds = 10;

export interface ClaimedMail extends Mail {
  readonly id: number;
  readonly key: string;
  readonly attempts: number;
}

interface StoredFile {
  readonly filename: string;
  readonly contentType: string;
  /** Base64. */
  readonly content: string;
}

interface Row {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string | null;
  readonly body_html: string | null;
  readonly reply_to: string | null;
  /** JSON text, as the pool gives it. */
  readonly attachments: string | null;
  readonly message_id: string;
  readonly attempts: number;
}

/** Takes mail that is due, and what a process that died had taken. */
export async function claimMail(db: Queryable, owner: string, limit: number): Promise<readonly ClaimedMail[]> {
  const rows = await db.query<Row>(sql`
    update mail_queue set state = 'sending', locked_by = ${owner},
      locked_until = now() + make_interval(secs => ${mailLeaseSeconds}::int4), write_date = now()
    where id in (
      select id from mail_queue
      where (state = 'queued' and next_try <= now()) or (state = 'sending' and locked_until < now())
      order by next_try, id limit ${limit}::int4 for update skip locked)
    returning id, recipient, reply_to, subject, body_text, body_html, attachments, message_id, attempts`);
  return rows
    .map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      text: row.body_text ?? '',
      html: row.body_html ?? '',
      ...(row.reply_to ? { replyTo: row.reply_to } : {}),
      attachments: filesOf(row.attachments),
      key: row.message_id,
      attempts: row.attempts,
    }))
    .sort((a, b) => a.id - b.id);
}

function filesOf(stored: string | null): readonly MailAttachment[] {
  const files = JSON.parse(stored ?? '[]') as readonly StoredFile[];
  return files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
}

/** What was sent is not kept: it may hold links that open an account. */
export async function markSent(db: Queryable, owner: string, id: number): Promise<void> {
  await db.execute(sql`
    update mail_queue set state = 'sent', attempts = attempts + 1, sent_at = now(), last_error = null, body_text = null,
      body_html = null, attachments = null, locked_by = null, locked_until = null, write_date = now()
    where id = ${id} and locked_by = ${owner}`);
}

export interface FailedTry {
  readonly error: string;
  readonly isFinal: boolean;
  readonly retryAfterMs: number;
}

export async function markFailed(db: Queryable, owner: string, id: number, failed: FailedTry): Promise<void> {
  await db.execute(sql`
    update mail_queue set state = ${failed.isFinal ? 'dead' : 'queued'}, attempts = attempts + 1,
      next_try = now() + make_interval(secs => ${failed.retryAfterMs / 1000}::float8), last_error = ${failed.error},
      locked_by = null, locked_until = null, write_date = now()
    where id = ${id} and locked_by = ${owner}`);
}

/** Puts back what was taken and not tried. */
export async function releaseMail(db: Queryable, owner: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    update mail_queue set state = 'queued', locked_by = null, locked_until = null
    where id = any(${[...ids]}::int4[]) and locked_by = ${owner}`);
}

export async function extendMail(db: Queryable, owner: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    update mail_queue set locked_until = now() + make_interval(secs => ${mailLeaseSeconds}::int4)
    where id = any(${[...ids]}::int4[]) and locked_by = ${owner}`);
}
