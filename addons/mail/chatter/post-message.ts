import { agentOf, type Env, noteSaid, publish } from '@kontor/addon';
import { markdownToHtml, mentionedIn, plainText } from './markdown.ts';
import { attachFiles, type SentFile } from './message-files.ts';
import { notifyMentioned } from './notify-mentioned.ts';
import { checkMayComment, type Thread, type ThreadDetails, threadDetails } from './thread.ts';

export interface CommentParts {
  readonly files?: readonly SentFile[];
  /**
   * The same key from the same user is the same comment: a post that is repeated after a lost connection is stored
   * once.
   */
  readonly key?: string;
}

interface PostedComment {
  readonly id: number;
  /** Mentioned users who may not read the record: they were not notified. */
  readonly unseen: readonly { readonly id: number; readonly name: string }[];
}

/** A comment by the caller; notifies mentioned users. */
export async function postComment(
  env: Env,
  thread: Thread,
  text: string,
  { files = [], key = '' }: CommentParts = {},
): Promise<PostedComment> {
  await checkMayComment(env, thread);
  const postKey = key === '' ? null : `${env.uid} ${key}`;
  const known = postKey === null ? null : await postedAs(env, postKey);
  if (known !== null) return { id: known, unseen: [] };
  const details = await threadDetails(env, thread);
  const mentioned = mentionedIn(text);
  const names = await namesOf(env, mentioned);
  const nameOf = (id: number) => names.get(id) ?? null;
  const message = await addMessage(env, details, 'comment', markdownToHtml(text, nameOf), { post: postKey });
  await attachFiles(env, message, files);
  const unseen = await notifyMentioned(env, details, [...names.keys()], plainText(text, nameOf));
  return { id: message, unseen: unseen.map((uid) => ({ id: uid, name: names.get(uid) ?? '' })) };
}

interface MessageOptions {
  /** The key of the post: each is accepted once. */
  readonly post?: string | null;
  /** The key of the e-mail that was sent with it (`queueMail`): answers to that e-mail are filed on the record. */
  readonly mail?: string | null;
  /** The customer of the record reads it as well. */
  readonly isShared?: boolean;
}

/**
 * A message of the server about a record. `html` is sanitised when it is stored. As the server: messages cannot be written as
 * records, so that none can be forged.
 */
export async function addMessage(
  env: Env,
  thread: ThreadDetails,
  kind: 'comment' | 'system',
  html: string,
  options: MessageOptions = {},
): Promise<number> {
  const message = await env
    .sudo()
    .model('mail.message')
    .create({
      model: thread.model,
      res_id: thread.id,
      kind,
      body: html,
      author_id: env.uid || null,
      agent: agentOf(env),
      post_key: options.post ?? null,
      message_ref: options.mail ?? null,
      is_shared: options.isShared ?? false,
    });
  const about = { model: thread.model, id: thread.id };
  noteSaid(env, { kind: 'message', to: [], about, subject: '', body: html, isHtml: true, files: [] });
  await publishPosted(env, thread, message);
  return message;
}

export async function publishPosted(
  env: Env,
  { model, id, companyId }: Omit<ThreadDetails, 'name'>,
  message: number,
): Promise<void> {
  await publish(env, 'chatter.posted', { model, id, message }, { model, companyId });
}

/** As the server, since messages cannot be read as records; the key starts with the caller, so that it finds only their own. */
async function postedAs(env: Env, postKey: string): Promise<number | null> {
  const [message] = await env
    .sudo()
    .model('mail.message')
    .search([['post_key', '=', postKey]]);
  return message ?? null;
}

/** Only users whom the author may see: a mention of anybody else would reveal their name. */
async function namesOf(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const users = await env.model('core.user').searchRead(
    [
      ['id', 'in', [...ids]],
      ['active', '=', true],
    ],
    ['name'],
  );
  return new Map(users.map((user) => [user.id, user.name]));
}
