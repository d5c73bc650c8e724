import { randomUUID } from 'node:crypto';
import {
  agentOf,
  canMail,
  type Env,
  isMailAddress,
  KontorError,
  mailStates,
  moveMail,
  ownSender,
  queueMail,
  takeBackMail,
  text,
  UserError,
  ValidationError,
} from '@kontor/addon';
import { followingContacts } from '../following/following-contacts.ts';
import { keepSent, keepTakenBack } from '../inbox/keep-conversation.ts';
import { replyAddress } from '../incoming/reply-address.ts';
import { peopleIn } from './mail-people.ts';
import { markdownToHtml, plainText } from './markdown.ts';
import { attachFiles, type SentFile } from './message-files.ts';
import { outsideMail } from './outside-mail.ts';
import { publishPosted } from './post-message.ts';
import { checkMayComment, type Thread, threadDetails } from './thread.ts';

export interface OutsideMessage {
  /** Addresses of people outside. */
  readonly to: readonly string[];
  /** Who gets a copy that everybody sees. */
  readonly cc?: readonly string[];
  readonly subject: string;
  /** Light Markdown. */
  readonly body: string;
  readonly files: readonly SentFile[];
  /** When it is sent; ten seconds from now if null, so that it can be taken back. */
  readonly at: string | null;
  /** The language that it is written in; by default the sender's. */
  readonly lang?: string;
  /** Whether the sender's signature goes below it; default: true. */
  readonly isSigned?: boolean;
  /** The same key of the same person is the same message. */
  readonly key: string;
}

export const undoSeconds = 10;
const mostRecipients = 20;
const longestMs = 366 * 86_400_000;
const longestSubject = 200;

interface SentMessage {
  readonly id: number;
  readonly sendAt: string;
}

/**
 * Sends a message about a record to people outside, through the queue of outgoing mail and not before its time. It is in the chatter at
 * once, and answers are filed on the record. Only colleagues may send: guests who comment would send in our name.
 */
export async function sendMessage(env: Env, thread: Thread, message: OutsideMessage): Promise<SentMessage> {
  if (!env.actor.groups.has('base.group_user'))
    throw new KontorError('ACCESS_DENIED', text('Only users may send e-mail.'));
  await checkMayComment(env, thread);
  const postKey = message.key === '' ? null : `${env.uid} ${message.key}`;
  const { to, cc } = recipientsIn(message.to, message.cc ?? []);
  const everybody = [...to, ...cc];
  const known = postKey === null ? null : await sentAs(env, postKey, message.body, everybody);
  if (known) return known;
  const sendAt = timeIn(env, message.at);
  if (!(await canMail(env))) throw new UserError('No mail server is set up.');
  const details = await threadDetails(env, thread);
  const subject = message.subject.replaceAll(/\s+/g, ' ').trim().slice(0, longestSubject) || details.name;
  const key = randomUUID();
  await queueFor(env, { thread, companyId: details.companyId, to, cc, subject, message, key, sendAt });
  const html = markdownToHtml(message.body, () => null);
  // As the server: messages cannot be written as records.
  const id = await env
    .sudo()
    .model('mail.message')
    .create({
      ...{ model: thread.model, res_id: thread.id, kind: 'email', body: html, subject, author_id: env.uid },
      ...{ agent: agentOf(env), post_key: postKey, message_ref: key, mark: 'message' },
      ...{ recipients: everybody.join('\n'), people: { to: named(to), cc: named(cc), replyTo: null } },
      ...{ send_at: sendAt, news_at: sendAt, source: message.body },
      ...{ is_signed: message.isSigned ?? true, lang: message.lang ?? null },
    });
  await attachFiles(env, id, message.files);
  await keepSent(env, thread, { html, subject, to, companyId: details.companyId });
  await publishPosted(env, details, id);
  return { id, sendAt };
}

const named = (addresses: readonly string[]) => addresses.map((address) => ({ name: '', address }));

interface Queued {
  readonly thread: Thread;
  readonly companyId: number | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly message: OutsideMessage;
  readonly key: string;
  readonly sendAt: string;
}

/** One mail for each recipient, with the same Message-ID: a server that refuses one of them does not keep it from the others. */
async function queueFor(
  env: Env,
  { thread, companyId, subject, message, key, sendAt, ...people }: Queued,
): Promise<void> {
  // As the server: the sender's own address.
  const [me] = await env.sudo().model('core.user').read([env.uid], ['email']);
  const replyTo = (await replyAddress(env, { ...thread, companyId })) ?? me?.email ?? null;
  const answers = await lastReceived(env, thread);
  const from = await ownSender(env, env.uid);
  const attachments = message.files.map(({ name, type, data }) => ({
    ...{ filename: name, contentType: type, content: Buffer.from(data, 'base64') },
  }));
  const { to, cc } = people;
  const everybody = [...to, ...cc];
  const followers = await followingContacts(env, thread, everybody);
  for (const { address, unsubscribe } of [...everybody.map(recipient), ...followers]) {
    const mail = await outsideMail(env, {
      ...{ to: address, lang: message.lang ?? env.actor.lang, subject, body: message.body, attachments, unsubscribe },
      ...{ companyId: companyId ?? env.actor.companyId, isSigned: message.isSigned ?? true },
      ...(replyTo ? { replyTo } : {}),
    });
    const further = { ...(answers ? { answers } : {}), ...(from ? { from } : {}) };
    await queueMail(env, { ...mail, key, at: sendAt, toAll: to, ccAll: cc, ...further });
  }
}

const recipient = (address: string) => ({ address, unsubscribe: null });

/** The Message-ID of the newest e-mail from outside, so that mail programs show the answer below it. */
async function lastReceived(env: Env, { model, id }: Thread): Promise<string | null> {
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
        ['kind', '=', 'email'],
        ['author_id', '=', null],
        ['mark', '=', 'message'],
      ],
      ['message_ref'],
      { order: '-id', limit: 1 },
    );
  return row?.message_ref ?? null;
}

function recipientsIn(given: readonly string[], copies: readonly string[]) {
  const plain = (addresses: readonly string[]) => addresses.map((address) => address.trim()).filter(Boolean);
  const to = [...new Set(plain(given))];
  const cc = [...new Set(plain(copies))].filter((address) => !to.includes(address));
  const all = [...to, ...cc];
  if (to.length === 0) throw new ValidationError({ to: ['Add a recipient.'] });
  if (all.length > mostRecipients)
    throw new ValidationError({ to: [text('A message has at most {max} recipients.', { max: mostRecipients })] });
  const wrong = all.find((address) => !isMailAddress(address));
  if (wrong !== undefined)
    throw new ValidationError({ to: [text('{address} is not an e-mail address.', { address: wrong.slice(0, 100) })] });
  return { to, cc };
}

function timeIn(env: Env, at: string | null): string {
  const now = env.now.getTime();
  if (at === null) return new Date(now + undoSeconds * 1_000).toISOString();
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw new KontorError('INVALID_ARGS', 'at must be a time.', { field: 'at' });
  if (time <= now || time > now + longestMs)
    throw new UserError('Choose a time in the future, at most a year from now.');
  return new Date(time).toISOString();
}

/** Sent once with this key; what its author changed after that is not in it, and they have to know. */
async function sentAs(env: Env, postKey: string, body: string, to: readonly string[]): Promise<SentMessage | null> {
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead([['post_key', '=', postKey]], ['send_at', 'source', 'recipients']);
  if (row && (row.source !== body || row.recipients !== to.join('\n')))
    throw new UserError('The message was sent already, without what you changed since.');
  return row ? { id: row.id, sendAt: row.send_at ?? '' } : null;
}

function sentAlready(): UserError {
  return new UserError('It has been sent already.');
}

/** What the composer had, for the author alone. As the server: messages cannot be read as records; only one's own is found. */
async function ownMessage(env: Env, id: number) {
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['id', '=', id],
        ['author_id', '=', env.uid],
        ['kind', '=', 'email'],
      ],
      ['model', 'res_id', 'message_ref', 'recipients', 'subject', 'source', 'is_signed', 'lang', 'people'],
    );
  if (!row?.message_ref) throw new KontorError('NOT_FOUND', text('The message does not exist.'));
  return { ...row, key: row.message_ref, thread: { model: row.model, id: row.res_id } };
}

export interface TakenBack {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly files: readonly SentFile[];
  readonly isSigned: boolean;
  /** Of the template that it was written with. */
  readonly lang: string | null;
}

/** Takes a message back that has not been handed to the mail server for anybody, and returns what was written. */
export async function takeBack(env: Env, id: number): Promise<TakenBack> {
  const message = await ownMessage(env, id);
  if (!(await takeBackMail(env, message.key))) throw sentAlready();
  const server = env.sudo();
  const files = await server
    .model('mail.message.file')
    .searchRead([['message_id', '=', id]], ['name', 'mimetype', 'data'], { order: 'id' });
  await server.model('mail.message').unlink([id]);
  await keepTakenBack(env, message.thread);
  await publishPosted(env, await threadDetails(env, message.thread), id);
  const cc = peopleIn(message.people).cc.map(({ address }) => address);
  return {
    to: (message.recipients ?? '').split('\n').filter((address) => address !== '' && !cc.includes(address)),
    cc,
    subject: message.subject ?? '',
    body: message.source ?? '',
    files: files.map(({ name, mimetype: type, data }) => ({ name, type, data })),
    ...{ isSigned: message.is_signed, lang: message.lang },
  };
}

/** Another time for a message that waits. */
export async function reschedule(env: Env, id: number, at: string): Promise<void> {
  const message = await ownMessage(env, id);
  const sendAt = timeIn(env, at);
  if (!(await moveMail(env, message.key, sendAt))) throw sentAlready();
  await env.sudo().model('mail.message').write([id], { send_at: sendAt, news_at: sendAt });
  await publishPosted(env, await threadDetails(env, message.thread), id);
}

export interface ScheduledMessage {
  readonly id: number;
  readonly model: string;
  readonly recordId: number;
  readonly name: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly preview: string;
  readonly sendAt: string;
}

/** One's own messages that wait for their time, the next first. As the server: only one's own. */
export async function scheduledMessages(env: Env): Promise<readonly ScheduledMessage[]> {
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['author_id', '=', env.uid],
        ['kind', '=', 'email'],
        ['send_at', '>', env.now.toISOString()],
        ['gone_at', '=', null],
      ],
      ['model', 'res_id', 'recipients', 'subject', 'source', 'send_at', 'message_ref'],
      { order: 'send_at, id', limit: 200 },
    );
  const states = await mailStates(
    env,
    rows.flatMap(({ message_ref: key }) => key ?? []),
  );
  const waiting = rows.filter(({ message_ref: key }) => states.get(key ?? '') === 'waiting');
  return Promise.all(
    waiting.map(async (row) => ({
      ...{ id: row.id, model: row.model, recordId: row.res_id, subject: row.subject ?? '' },
      name: (await threadDetails(env, { model: row.model, id: row.res_id })).name,
      to: (row.recipients ?? '').split('\n').filter(Boolean),
      preview: plainText(row.source ?? '', () => null, 120),
      sendAt: row.send_at ?? '',
    })),
  );
}
