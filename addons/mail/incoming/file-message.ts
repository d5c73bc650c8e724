import { anyModel, type Env, inSavepoint, KontorError, UserError } from '@kontor/addon';
import { attachFiles } from '../chatter/message-files.ts';
import { publishPosted } from '../chatter/post-message.ts';
import { type Thread, threadDetails } from '../chatter/thread.ts';
import { forgetUnsorted, keepReceived } from '../inbox/keep-conversation.ts';
import { createdValues } from './created-values.ts';
import { findCopy } from './find-copy.ts';
import {
  aliasOf,
  contactOf,
  exists,
  findThread,
  isOfCompany,
  isOwnKey,
  type Mailbox,
  referenceOf,
} from './find-thread.ts';
import type { ParsedMessage } from './parse-message.ts';
import type { Reason } from './reasons.ts';

interface Decision {
  readonly thread: Thread | null;
  readonly reason: Reason;
  /** Why the alias could not create a record. */
  readonly error?: string;
}

const unsorted = (reason: Reason, error?: string): Decision => ({ thread: null, reason, ...(error ? { error } : {}) });

export interface Incoming {
  readonly id: number;
  readonly mailbox: Mailbox;
  /** It arrived before the mailbox was connected. */
  readonly isHistory: boolean;
}

/**
 * Files an e-mail on the record that it answers, or on the one that its alias creates; otherwise a person decides. As the system:
 * the sender has no rights, and nothing is sent.
 */
export async function fileMessage(
  env: Env,
  { id, mailbox, isHistory }: Incoming,
  message: ParsedMessage,
): Promise<'filed' | 'unsorted'> {
  const contact = message.from && (await contactOf(env, message.from.address, mailbox.company_id));
  const copy = await findCopy(env, mailbox.company_id, message);
  if (copy.thread) return settle(env, id, copy.thread, 'same');
  if (isHistory) return fileHistory(env, { id, mailbox, isHistory }, message, { contact, key: copy.key });
  await writeMessage(env, id, message, contact);
  const { thread, reason, error = null } = await decide(env, mailbox, message, contact);
  if (thread === null) {
    await env.sudo().model('mail.incoming').write([id], { reason, problem: error });
    await keepReceived(env, id, null, message);
    return 'unsorted';
  }
  await fileOn(env, id, thread, message, { contact, reason, key: copy.key });
  await markContacts(env, mailbox.company_id, message, contact);
  return 'filed';
}

/** Nothing is added to the record; the original is no longer needed. As the server: nobody is signed in, or who may file was checked. */
export async function settle(env: Env, id: number, thread: Thread | null, reason: Reason): Promise<'filed'> {
  const place = { model: thread?.model ?? null, res_id: thread?.id ?? null };
  await env
    .sudo()
    .model('mail.incoming')
    .write([id], { ...place, reason, raw: null });
  await forgetUnsorted(env, [id]);
  return 'filed';
}

/**
 * An e-mail from before the mailbox was connected: on the record that it answers, otherwise on the contact who sent it. It creates nothing
 * and marks nobody; what fits neither stays in its mailbox alone.
 */
async function fileHistory(
  env: Env,
  { id, mailbox }: Incoming,
  message: ParsedMessage,
  { contact, key }: Pick<Filing, 'contact' | 'key'>,
): Promise<'filed'> {
  if (await isOurs(env, message.from?.address ?? null)) return settle(env, id, null, 'history');
  const found = await findThread(env, mailbox, message);
  const ofContact = contact === null ? null : { model: 'core.partner', id: contact };
  const known = ofContact && (await exists(env, ofContact)) ? { thread: ofContact, reason: 'contact' as const } : null;
  const place = found && (await isOfCompany(env, found.thread, mailbox.company_id)) ? found : known;
  if (!place) return settle(env, id, null, 'history');
  await writeMessage(env, id, message, contact);
  await fileOn(env, id, place.thread, message, { contact, reason: place.reason, key });
  return 'filed';
}

/** A bounce marks the contacts whose address failed. A contact who writes can be reached. */
export async function markContacts(
  env: Env,
  companyId: number,
  message: ParsedMessage,
  contact: number | null,
): Promise<void> {
  const partners = env.sudo().model('core.partner');
  if (message.kind === 'message' && contact !== null) {
    const marked = await partners.search([
      ['id', '=', contact],
      ['mail_failed_at', '!=', null],
    ]);
    await partners.write(marked, { mail_failed_at: null });
  }
  if (message.kind !== 'bounce') return;
  const sentTo = await recipientsOf(env, message.references);
  const failures = message.failed.filter((each) => sentTo.has(each));
  await markReturned(env, message.references, failures);
  for (const address of failures) {
    const failed = await contactOf(env, address, companyId);
    if (failed !== null) await partners.write([failed], { mail_failed_at: env.now.toISOString() });
  }
}

/** Our message says that it came back. A report that names nobody is about its only recipient. As the server: nobody is signed in. */
async function markReturned(env: Env, references: readonly string[], failed: readonly string[]): Promise<void> {
  const keys = references.map(referenceOf).filter(isOwnKey);
  if (keys.length === 0) return;
  const messages = env.sudo().model('mail.message');
  const sent = await messages.searchRead(
    [
      ['message_ref', 'in', keys],
      ['recipients', '!=', null],
    ],
    ['model', 'res_id', 'recipients', 'failed_to'],
    { limit: 50 },
  );
  for (const { id, model, res_id: record, recipients, failed_to: before } of sent) {
    const all = linesOf(recipients);
    const now = failed.length === 0 && all.length === 1 ? all : failed;
    const known = new Set([...linesOf(before), ...now]);
    if (known.size === linesOf(before).length) continue;
    await messages.write([id], { failed_to: [...known].join('\n') });
    await publishPosted(env, await threadDetails(env, { model, id: record }), id);
  }
}

function linesOf(stored: string | null): readonly string[] {
  return (stored ?? '').split('\n').filter(Boolean);
}

/** Of the e-mails that we sent: anybody could claim a failure of any address otherwise. */
async function recipientsOf(env: Env, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
  const sent = await env
    .sudo()
    .model('mail.queue')
    .searchRead([['message_id', 'in', messageIds.map(referenceOf)]], ['recipient'], { limit: 50 });
  return new Set(sent.map(({ recipient }) => recipient.toLowerCase()));
}

async function decide(env: Env, mailbox: Mailbox, message: ParsedMessage, contact: number | null): Promise<Decision> {
  if (await isOurs(env, message.from?.address ?? null)) return unsorted('loop');
  const found = await findThread(env, mailbox, message);
  if (found) return (await isOfCompany(env, found.thread, mailbox.company_id)) ? found : unsorted('company');
  const alias = aliasOf(env, mailbox, message.recipients);
  if (alias === null) return unsorted('nothing');
  if (message.kind !== 'message' || message.isFromList) return unsorted('automatic');
  if (await isFlooding(env, message.from?.address ?? null)) return unsorted('flood');
  const model = [...env.registry.models.values()].find(({ mail }) => mail?.alias === alias)?.name as string;
  return createFor(env, model, mailbox.company_id, message, contact);
}

/** The model may reject it, such as for a missing setting. */
async function createFor(
  env: Env,
  model: string,
  companyId: number,
  message: ParsedMessage,
  contact: number | null,
): Promise<Decision> {
  try {
    const server = env.sudo();
    const thread = await inSavepoint(env, async () => {
      const id = await anyModel(server, model).create(await createdValues(server, model, companyId, message, contact));
      if (await isOfCompany(env, { model, id }, companyId)) return { model, id };
      throw new UserError('The record belongs to another company.');
    });
    return { thread, reason: 'alias' };
  } catch (error) {
    if (error instanceof KontorError) return unsorted('refused', error.message);
    throw error;
  }
}

/** E-mail from one of our own addresses would go round in circles. */
async function isOurs(env: Env, address: string | null): Promise<boolean> {
  if (address === null) return false;
  const plain = address.replace(/\+[^@]*@/, '@');
  return (
    (await env
      .sudo()
      .model('mail.mailbox')
      .count([['address', '=', plain]])) > 0
  );
}

const mostInAnHour = 20;

/** Two programs that answer each other end here: a sender creates no more records than a person would. */
async function isFlooding(env: Env, address: string | null): Promise<boolean> {
  const since = new Date(env.now.getTime() - 3_600_000).toISOString();
  const count = await env
    .sudo()
    .model('mail.incoming')
    .count([
      ['sender_email', '=', address],
      ['reason', '=', 'alias'],
      ['received_at', '>=', since],
    ]);
  return count >= mostInAnHour;
}

async function writeMessage(env: Env, id: number, message: ParsedMessage, contact: number | null): Promise<void> {
  const { from, subject, body, files, kind, references } = message;
  await env
    .sudo()
    .model('mail.incoming')
    .write([id], {
      subject: subject || null,
      sender_name: from?.name ?? null,
      sender_email: from?.address ?? null,
      partner_id: contact,
      body: body.shown || null,
      folded: body.folded || null,
      pictures: body.pictures.join('\n') || null,
      invitation: message.invitation,
      file_names: files.map(({ name }) => name).join('\n') || null,
      mark: kind,
      answers_ref: references.map(referenceOf).find(isOwnKey) ?? null,
    });
}

interface Filing {
  readonly contact: number | null;
  readonly reason: Reason;
  /** What tells a copy of it; null if there may be several. */
  readonly key: string | null;
}

/** Adds it to the chatter of a record; the original is no longer needed. As the server: messages cannot be written as records. */
export async function fileOn(
  env: Env,
  id: number,
  thread: Thread,
  message: ParsedMessage,
  { contact, reason, key }: Filing,
): Promise<void> {
  const server = env.sudo();
  // An invitation may have been answered while it waited.
  const [waited] = await server
    .model('mail.incoming')
    .read([id], ['invitation_answer', 'answered_id', 'is_history', 'received_at']);
  const posted = await server.model('mail.message').create({
    model: thread.model,
    res_id: thread.id,
    kind: 'email',
    body: message.body.shown || null,
    folded: message.body.folded || null,
    pictures: message.body.pictures.join('\n') || null,
    people: message.people,
    invitation: message.invitation,
    invitation_answer: waited?.invitation_answer ?? null,
    answered_id: waited?.answered_id ?? null,
    subject: message.subject || null,
    sender_name: message.from?.name ?? null,
    sender_email: message.from?.address ?? null,
    partner_id: contact,
    mark: message.kind,
    message_ref: message.messageId === null ? null : referenceOf(message.messageId),
    author_id: null,
    post_key: key,
    ...(waited?.is_history
      ? { date: message.date ?? waited.received_at, news_at: null }
      : { date: message.date ?? env.now.toISOString() }),
  });
  await attachFiles(env, posted, message.files);
  await server.model('mail.incoming').write([id], { ...{ reason, raw: null }, model: thread.model, res_id: thread.id });
  await keepReceived(env, id, thread, message);
  await publishPosted(env, await threadDetails(env, thread), posted);
}
