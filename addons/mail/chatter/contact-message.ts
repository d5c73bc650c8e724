import {
  anyModel,
  type Env,
  type NoticeSpec,
  tellPerson,
  text,
  toParagraphs,
  UserError,
  type Words,
} from '@kontor/addon';
import { isKept } from '../following/followers.ts';
import { attachFiles, filesOf, type SentFile, type ShownFile } from './message-files.ts';
import { publishPosted } from './post-message.ts';
import { type Thread, threadDetails } from './thread.ts';

export const longestComment = 4_000;
const mostInADay = 20;

interface ContactMessage {
  /** Who writes, and the address that they were written to. They are no user; the callers check what they may do. */
  readonly contact: { readonly id: number; readonly name: string; readonly email: string };
  /** Where they write. */
  readonly subject: string;
  readonly body: string;
  readonly files?: readonly SentFile[];
  /** The field with the user who is told of it besides those who chose to follow the record. */
  readonly responsible?: string | undefined;
  readonly notice: { readonly spec: NoticeSpec; readonly title: Words; readonly body: string };
}

/**
 * A message of a contact who writes on a page of theirs, in the discussion of the record: they read it there, and those who follow the
 * record are told. As the server: a contact writes nothing but this.
 */
export async function postFromContact(env: Env, thread: Thread, message: ContactMessage): Promise<void> {
  const { contact, subject, body, files = [] } = message;
  const details = await threadDetails(env, thread);
  const { model, id, name } = details;
  const posted = await env
    .sudo()
    .model('mail.message')
    .create({
      ...{ model, res_id: id, kind: 'email', mark: 'message', is_shared: true },
      ...{ author_id: null, partner_id: contact.id, sender_name: contact.name, sender_email: contact.email },
      ...{ subject, body: toParagraphs(body) },
      // They are told below, in words of the caller.
      news_at: null,
    });
  await attachFiles(env, posted, files);
  await publishPosted(env, details, posted);
  const { spec, title, body: told } = message.notice;
  for (const uid of await toldOf(env, details, message.responsible))
    await tellPerson(env, uid, spec, () => ({
      ...{ title, body: [name, told.slice(0, 200)].filter(Boolean).join(': '), about: { model, id, name } },
      mail: { paragraphs: [title, told] },
    }));
}

/** What a contact wrote, or an error: one person cannot fill the discussion, nor the mailboxes of those who follow it. */
export async function checkedComment(
  env: Env,
  { model, id }: Thread,
  { contact, given }: { readonly contact: number; readonly given: string },
): Promise<string> {
  const words = given.trim();
  if (words === '') throw new UserError('Write something first.');
  if (words.length > longestComment)
    throw new UserError(text('Write at most {count} characters.', { count: longestComment }));
  // As the server: messages have no rights.
  const messages = env.sudo().model('mail.message');
  const count = await messages.count([
    ['model', '=', model],
    ['res_id', '=', id],
    ['partner_id', '=', contact],
    ['is_shared', '=', true],
    ['date', '>=', new Date(env.now.getTime() - 86_400_000).toISOString()],
  ]);
  if (count >= mostInADay) throw new UserError('That is enough for today. Please call, or write tomorrow.');
  return words;
}

/** Who is responsible and who chose to follow the record, without those who want to hear nothing of it. */
async function toldOf(env: Env, { model, id }: Thread, field: string | undefined): Promise<ReadonlySet<number>> {
  const server = env.sudo();
  const [record] = field ? await anyModel(server, model).read([id], [field]) : [];
  const responsible = Number(record?.[field ?? ''] ?? 0);
  const chosen = await server.model('mail.follow').searchRead(
    [
      ['model', '=', model],
      ['res_id', '=', id],
      ['user_id', '!=', null],
    ],
    ['user_id', 'is_on', 'hears'],
  );
  const people = new Set([...chosen.flatMap(({ user_id: user }) => user ?? []), ...(responsible ? [responsible] : [])]);
  for (const { user_id: user, ...choice } of chosen) if (user !== null && !isKept(choice)) people.delete(user);
  return people;
}

export interface SharedMessage {
  readonly author: string;
  readonly date: string;
  readonly body: string;
  readonly files: readonly ShownFile[];
}

const mostShared = 100;

/**
 * What the customer of a record wrote and what was written to them, the oldest first; never notes of colleagues. As the server: messages
 * have no rights; the callers check who may see the record.
 */
export async function sharedMessages(env: Env, { model, id }: Thread): Promise<readonly SharedMessage[]> {
  const rows = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
        ['is_shared', '=', true],
      ],
      ['body', 'date', 'sender_name', 'author_id.name'],
      { order: '-id', limit: mostShared },
    );
  const ids = rows.map((row) => row.id);
  const files = await filesOf(env, ids);
  return rows.reverse().map((row) => ({
    author: row['author_id.name'] ?? row.sender_name ?? '',
    date: row.date ?? env.now.toISOString(),
    body: row.body ?? '',
    files: files.get(row.id) ?? [],
  }));
}
