import { attachFiles, plainName, publishPosted, type SentFile, threadDetails } from '@addons/mail';
import {
  type Env,
  type NoticeSpec,
  tellPerson,
  text,
  toParagraphs,
  UserError,
  type Words,
  wordsIn,
} from '@kontor/addon';
import { aboutRecord, minutesFrom } from '../links/make-link.ts';
import type { Visit } from './visit.ts';

export const customerActs: NoticeSpec = {
  name: 'portal.customer',
  label: text('A customer writes, signs or declines'),
  usual: 'both',
};

export const longestComment = 4_000;
const mostBytes = 3_000_000;
const mostInADay = 20;

/** A comment of the customer in the discussion of the record, which tells those who follow it. */
export async function addComment(visit: Visit, body: string, files: readonly SentFile[]): Promise<void> {
  const { env } = visit;
  const words = body.trim();
  if (words === '') throw new UserError('Write something first.');
  if (words.length > longestComment)
    throw new UserError(text('Write at most {count} characters.', { count: longestComment }));
  await checkAmount(visit);
  const id = await addCustomerMessage(visit, words);
  await attachFiles(env, id, files);
  await tellFollowers(visit, text('{name} wrote on the customer page', { name: visit.visitor.name }), words);
}

/** As the server, here and below: a visitor writes nothing but this, as the model allows. */
export async function addCustomerMessage(visit: Visit, words: string): Promise<number> {
  const { env, model, id, visitor, recipient } = visit;
  const details = await threadDetails(env, { model, id });
  const message = await env
    .sudo()
    .model('mail.message')
    .create({
      ...{ model, res_id: id, kind: 'email', mark: 'message', is_shared: true, body: toParagraphs(words) },
      ...{ author_id: null, partner_id: visitor.id, sender_name: visitor.name, sender_email: recipient },
      subject: wordsIn(env, 'en_US', 'portal').say('Customer page'),
      // The callers tell followers, in words of their own.
      news_at: null,
    });
  await publishPosted(env, details, message);
  return message;
}

/** One person cannot fill the discussion, nor the mailboxes of those who follow it. */
async function checkAmount(visit: Visit): Promise<void> {
  const { env, visitor } = visit;
  const count = await env
    .sudo()
    .model('mail.message')
    .count([
      ...aboutRecord(visit),
      ['partner_id', '=', visitor.id],
      ['is_shared', '=', true],
      ['date', '>=', minutesFrom(env, -24 * 60)],
    ]);
  if (count >= mostInADay) throw new UserError('That is enough for today. Please call, or write tomorrow.');
}

/** The person responsible, and those who chose to follow the record. */
export async function tellFollowers(visit: Visit, title: Words, body: string): Promise<void> {
  const { env, model, id, spec } = visit;
  const server = env.sudo();
  const details = await threadDetails(env, { model, id });
  const chosen = await server
    .model('mail.follow')
    .searchRead([...aboutRecord(visit), ['user_id', '!=', null]], ['user_id', 'is_on', 'hears']);
  const contact = await contactOf(server, visit, spec.contact);
  const off = new Set(chosen.filter((row) => !row.is_on || row.hears === 'none').map(({ user_id: user }) => user));
  const named = chosen.flatMap(({ user_id: user }) => user ?? []);
  const people = new Set([...named, ...contact].filter((user) => !off.has(user)));
  for (const user of people)
    await tellPerson(env, user, customerActs, () => ({
      ...{ title, body: [details.name, body.slice(0, 200)].filter(Boolean).join(': ') },
      about: { model, id, name: details.name },
      mail: { paragraphs: [title, body] },
    }));
}

async function contactOf(server: Env, { model, id }: Visit, field: string | undefined): Promise<readonly number[]> {
  if (field === undefined) return [];
  const [record] = await server.model(model as 'core.partner').read([id], [field as 'user_id']);
  return record?.user_id ? [record.user_id] : [];
}

/** What a file begins with, by its type: what it claims to be is not believed. Text has no such beginning and no zero bytes. */
const beginnings: readonly (readonly [type: string, endings: RegExp, begins: string])[] = [
  ['application/pdf', /\.pdf$/i, '%PDF-'],
  ['image/png', /\.png$/i, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', /\.jpe?g$/i, '\xff\xd8\xff'],
  ['application/zip', /\.(?:docx|xlsx|odt|ods)$/i, 'PK\x03\x04'],
];

/** A file of a comment, or an error that says what is taken. */
export function checkedFile(given: { readonly name: string; readonly content: Buffer }): SentFile {
  const name = plainName(given.name);
  const { content } = given;
  if (content.length > mostBytes) throw new UserError('A file may have up to 3 MB.');
  const start = content.toString('latin1', 0, 16);
  const known = beginnings.find(([, ending, begins]) => ending.test(name) && start.startsWith(begins));
  const isText = /\.(?:txt|csv)$/i.test(name) && !content.includes(0);
  if (!known && !isText)
    throw new UserError('Send PDF, PNG, JPEG, text or office documents; other files are not taken.');
  return { name, type: known?.[0] ?? 'text/plain', data: content.toString('base64') };
}
