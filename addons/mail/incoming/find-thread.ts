import { anyModel, type Env } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';
import type { ParsedMessage } from './parse-message.ts';
import { threadOf } from './reply-address.ts';

/** The mailbox of an e-mail. */
export interface Mailbox {
  readonly id: number;
  readonly address: string;
  readonly alias: string | null;
  readonly reply_secret: string | null;
  readonly company_id: number;
}

export type Found = { readonly thread: Thread; readonly reason: 'reference' | 'address' };

/** The record that an e-mail answers, in any company; null if there is none. As the server: the sender may read nothing. */
export async function findThread(env: Env, mailbox: Mailbox, message: ParsedMessage): Promise<Found | null> {
  const answered = await answeredThread(env, message.references);
  if (answered) return { thread: answered, reason: 'reference' };
  for (const address of message.recipients) {
    const thread = threadOf(env, address, mailbox);
    if (thread && (await exists(env, thread))) return { thread, reason: 'address' };
  }
  return null;
}

const ownKey = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/;

/**
 * By the Message-IDs of e-mails that were sent from a record or filed on it. Ours are known by their first part, whatever the domain.
 * The first e-mail with a Message-ID counts: whoever got a copy of it could claim it for another record.
 */
async function answeredThread(env: Env, references: readonly string[]): Promise<Thread | null> {
  if (references.length === 0) return null;
  const refs = references.map(referenceOf);
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead([['message_ref', 'in', refs]], ['message_ref', 'model', 'res_id'], { order: 'id', limit: 200 });
  for (const ref of refs) {
    const row = rows.find(({ message_ref: own }) => own === ref);
    const thread = row && { model: row.model, id: row.res_id };
    if (thread && (await exists(env, thread))) return thread;
  }
  return null;
}

/** The first part of a Message-ID of ours. */
export function isOwnKey(ref: string): boolean {
  return ownKey.test(`${ref}@`);
}

/** As it is stored at a message. */
export function referenceOf(messageId: string): string {
  return ownKey.exec(messageId)?.[1] ?? messageId;
}

export async function exists(env: Env, { model, id }: Thread): Promise<boolean> {
  if (!env.registry.models.get(model)?.chatter) return false;
  return (await anyModel(env.sudo(), model).search([['id', '=', id]], { limit: 1 })).length > 0;
}

/** The company of a record is that of the mailbox, or it has none. */
export async function isOfCompany(env: Env, { model, id }: Thread, companyId: number): Promise<boolean> {
  if (!env.registry.model(model).hasCompany) return true;
  const [record] = await anyModel(env.sudo(), model).read([id], ['company_id']);
  return (record?.company_id ?? companyId) === companyId;
}

/** The alias that an e-mail was sent to: `sales@` at the domain of the mailbox, `office+sales@`, or that of the mailbox itself. */
export function aliasOf(env: Env, mailbox: Mailbox, recipients: readonly string[]): string | null {
  const known = new Set([...env.registry.models.values()].flatMap(({ mail }) => mail?.alias ?? []));
  const [local, domain] = mailbox.address.split('@');
  for (const address of recipients) {
    const [name = '', at] = address.split('@');
    if (at !== domain) continue;
    const [base, tag] = name.split('+', 2);
    const alias = base === local && tag !== undefined ? tag : (base as string);
    if (known.has(alias)) return alias;
  }
  return mailbox.alias !== null && known.has(mailbox.alias) ? mailbox.alias : null;
}

/** The only contact with this address; of several, the only person. As the server: nobody reads it here. */
export async function contactOf(env: Env, address: string, companyId: number): Promise<number | null> {
  const pattern = address.replaceAll(/[\\%_]/g, '\\$&');
  const found = await env
    .sudo()
    .model('core.partner')
    .searchRead([['email', '=ilike', pattern]], ['is_company', 'company_id'], { limit: 20 });
  const own = found.filter(({ company_id: company }) => company === null || company === companyId);
  const people = own.filter(({ is_company: isCompany }) => !isCompany);
  const [only, ...others] = people.length > 0 ? people : own;
  return only && others.length === 0 ? only.id : null;
}
