import { anyModel, type Env, inSavepoint, KontorError, UserError } from '@kontor/addon';
import { attachFiles } from '../chatter/message-files.ts';
import { publishPosted } from '../chatter/post-message.ts';
import { type Thread, threadDetails } from '../chatter/thread.ts';
import { keepReceived } from '../inbox/keep-conversation.ts';
import { createdValues } from './created-values.ts';
import { aliasOf, contactOf, findThread, isOfCompany, isOwnKey, type Mailbox, referenceOf } from './find-thread.ts';
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
}

/**
 * Files an e-mail on the record that it answers, or on the one that its alias creates; otherwise a person decides. As the system:
 * the sender has no rights, and nothing is sent.
 */
export async function fileMessage(
  env: Env,
  { id, mailbox }: Incoming,
  message: ParsedMessage,
): Promise<'filed' | 'unsorted'> {
  const contact = message.from && (await contactOf(env, message.from.address, mailbox.company_id));
  await writeMessage(env, id, message, contact);
  const { thread, reason, error = null } = await decide(env, mailbox, message, contact);
  if (thread === null) {
    await env.sudo().model('mail.incoming').write([id], { reason, problem: error });
    await keepReceived(env, id, null, message);
    return 'unsorted';
  }
  await fileOn(env, id, thread, message, { contact, reason });
  await markContacts(env, mailbox, message, contact);
  return 'filed';
}

/** A bounce marks the contacts whose address failed. A contact who writes can be reached. */
async function markContacts(env: Env, mailbox: Mailbox, message: ParsedMessage, contact: number | null): Promise<void> {
  const partners = env.sudo().model('core.partner');
  if (message.kind === 'message' && contact !== null) {
    const marked = await partners.search([
      ['id', '=', contact],
      ['mail_failed_at', '!=', null],
    ]);
    await partners.write(marked, { mail_failed_at: null });
  }
  if (message.kind !== 'bounce' || message.failed.length === 0) return;
  const sentTo = await recipientsOf(env, message.references);
  for (const address of message.failed.filter((each) => sentTo.has(each))) {
    const failed = await contactOf(env, address, mailbox.company_id);
    if (failed !== null) await partners.write([failed], { mail_failed_at: env.now.toISOString() });
  }
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

/** Adds it to the chatter of a record; the original is no longer needed. As the server: messages cannot be written as records. */
export async function fileOn(
  env: Env,
  id: number,
  thread: Thread,
  message: ParsedMessage,
  { contact, reason }: { readonly contact: number | null; readonly reason: Reason },
): Promise<void> {
  const server = env.sudo();
  // An invitation may have been answered while it waited.
  const [waited] = await server.model('mail.incoming').read([id], ['invitation_answer', 'answered_id']);
  const posted = await server.model('mail.message').create({
    model: thread.model,
    res_id: thread.id,
    kind: 'email',
    body: message.body.shown || null,
    folded: message.body.folded || null,
    pictures: message.body.pictures.join('\n') || null,
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
    date: message.date ?? env.now.toISOString(),
  });
  await attachFiles(env, posted, message.files);
  await server.model('mail.incoming').write([id], { ...{ reason, raw: null }, model: thread.model, res_id: thread.id });
  await keepReceived(env, id, thread, message);
  await publishPosted(env, await threadDetails(env, thread), posted);
}
