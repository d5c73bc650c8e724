import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Env } from '@kontor/addon';
import type { Thread, ThreadDetails } from '../chatter/thread.ts';

/** 80 bits: a guess would need years of e-mails, and the first part of an address has at most 64 characters. */
const macLength = 20;

const mostMailboxes = 500;

/**
 * The address for answers to an e-mail about a record: `office+7-…@example.com`, of the mailbox that its conversation came in by,
 * otherwise of the first one of its company; null if there is none. Whoever has it can write to the record, and read nothing.
 */
export async function replyAddress(
  env: Env,
  { model, id, companyId }: Omit<ThreadDetails, 'name'>,
): Promise<string | null> {
  // As the server: the secret cannot be read, and the address is made for the sender of the e-mail.
  const server = env.sudo();
  const mailboxes = await server
    .model('mail.mailbox')
    .searchRead(
      [
        ['active', '=', true],
        ['takes_replies', '=', true],
        ...(companyId === null ? [] : [['company_id', '=', companyId] as const]),
      ],
      ['address', 'reply_secret'],
      { order: 'id', limit: mostMailboxes },
    );
  const [conversation] = await server.model('mail.conversation').searchRead(
    [
      ['model', '=', model],
      ['res_id', '=', id],
    ],
    ['mailbox_id'],
  );
  const mailbox = mailboxes.find((each) => each.id === conversation?.mailbox_id) ?? mailboxes[0];
  if (!mailbox?.reply_secret) return null;
  const [local, domain] = mailbox.address.split('@');
  return `${local}+${id.toString(36)}-${macOf(mailbox.reply_secret, { model, id })}@${domain}`;
}

/**
 * What brings the answers to a mail about a record back to it: the key that makes its Message-ID, for `addMessage`, and a signed reply
 * address. Without a mailbox, and for records without a discussion, answers go to `otherwise`.
 */
export async function answersTo(
  env: Env,
  thread: Omit<ThreadDetails, 'name'>,
  otherwise: string | null = null,
): Promise<{ readonly key: string; readonly replyTo?: string }> {
  const hasChatter = env.registry.model(thread.model).chatter !== null;
  const replyTo = (hasChatter ? await replyAddress(env, thread) : null) ?? otherwise;
  return { key: randomUUID(), ...(replyTo ? { replyTo } : {}) };
}

/** The record of a reply address of this mailbox; null for any other address, and for one that was made up. */
export function threadOf(
  env: Env,
  address: string,
  mailbox: { readonly address: string; readonly reply_secret: string | null },
): Thread | null {
  const [local = '', domain] = mailbox.address.split('@');
  const [, given, tag, at] = /^([^+@]+)\+([^@]+)@(.+)$/.exec(address) ?? [];
  const [, id36, mac = ''] = /^([0-9a-z]{1,7})-([0-9a-f]+)$/.exec(tag ?? '') ?? [];
  if (given !== local || at !== domain || id36 === undefined || mac.length !== macLength) return null;
  const id = Number.parseInt(id36, 36);
  for (const { name, chatter } of env.registry.models.values()) {
    if (chatter === null || mailbox.reply_secret === null) continue;
    const expected = macOf(mailbox.reply_secret, { model: name, id });
    if (timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return { model: name, id };
  }
  return null;
}

function macOf(secret: string, { model, id }: Thread): string {
  return createHmac('sha256', secret).update(`${model},${id}`).digest('hex').slice(0, macLength);
}
