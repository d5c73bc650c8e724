import { type Env, wakeQueue } from '@kontor/addon';
import { messageIds } from './classify.ts';
import { sha256 } from './in-turns.ts';

export interface Received {
  readonly raw: Uint8Array;
  readonly mailbox: { readonly id: number; readonly company_id: number };
  /** Recipients that the provider names beside the e-mail. */
  readonly envelopeTo?: string | null;
  /** When it arrived, if that was before the mailbox was connected: it is filed as history. */
  readonly history?: string | null;
}

/**
 * Stores an e-mail as it came; it is read and filed by the queue. The same e-mail in the same mailbox is stored once for good, also after
 * its row was deleted: then it has no id.
 */
export async function receive(
  env: Env,
  { raw, mailbox, envelopeTo = null, history = null }: Received,
): Promise<{ id: number | null; isNew: boolean }> {
  // As the server: nobody is signed in; the caller has checked the key or holds the mailbox.
  const server = env.sudo();
  const fingerprint = await fingerprintOf(raw);
  const same = [['mailbox_id', '=', mailbox.id] as const, ['fingerprint', '=', fingerprint] as const];
  const [known] = await server.model('mail.incoming').search(same);
  if (known !== undefined) return { id: known, isNew: false };
  if ((await server.model('mail.incoming.known').count(same)) > 0) return { id: null, isNew: false };
  const id = await server.model('mail.incoming').create({
    mailbox_id: mailbox.id,
    company_id: mailbox.company_id,
    fingerprint,
    raw,
    size: raw.byteLength,
    envelope_to: envelopeTo?.slice(0, 2_000) ?? null,
    ...(history === null ? {} : { is_history: true, received_at: history }),
  });
  if (history === null) await server.model('mail.mailbox').write([mailbox.id], { received_at: env.now.toISOString() });
  wakeQueue(env, 'mail.incoming');
  return { id, isNew: true };
}

/** Message-ID and content: servers on the way add headers, and a forged Message-ID must not suppress another e-mail. */
export async function fingerprintOf(raw: Uint8Array): Promise<string> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const [end, length] = endOfHead(bytes);
  const head = bytes.toString('latin1', 0, end);
  const header = (name: string) =>
    new RegExp(`^${name}:((?:[^\\n]|\\n[ \\t]){0,2000})`, 'im').exec(head)?.[1]?.trim() ?? '';
  const id = messageIds(header('message-id'))[0] ?? `${header('date')} ${header('from')} ${header('subject')}`;
  return sha256([`${id}\n`, bytes.subarray(end + length)]);
}

function endOfHead(bytes: Buffer): readonly [end: number, length: number] {
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  if (crlf >= 0 && (lf < 0 || crlf < lf)) return [crlf, 4];
  return lf >= 0 ? [lf, 2] : [bytes.length, 0];
}

const keptDays = 90;
const batch = 1_000;

/**
 * Deletes what is known of e-mails that were filed long ago, up to their fingerprints; false if nothing is left. The e-mails are on their
 * records.
 */
export async function dropFiledMessages(env: Env): Promise<boolean> {
  // As the server: a job without readers.
  const incoming = env.sudo().model('mail.incoming');
  const limit = new Date(env.now.getTime() - keptDays * 86_400_000).toISOString();
  const old = await incoming.search(
    [
      ['state', '=', 'filed'],
      ['received_at', '<', limit],
    ],
    { limit: batch },
  );
  await incoming.unlink(old);
  return old.length === batch;
}

/** As the server: who may delete the e-mails was checked, and nobody reads fingerprints. */
export async function keepKnown(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const rows = await server.model('mail.incoming').read([...ids], ['mailbox_id', 'fingerprint']);
  const known = rows.map(({ mailbox_id, fingerprint }) => ({ mailbox_id, fingerprint }));
  if (known.length > 0) await server.model('mail.incoming.known').createMany(known);
}
