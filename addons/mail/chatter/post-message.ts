import { type Env, publish } from '@kontor/addon';
import { markdownToHtml, mentionedIn, plainText } from './markdown.ts';
import { tellMentioned } from './tell-mentioned.ts';
import { checkMayComment, type Thread, type ThreadDetails, threadDetails } from './thread.ts';

/** A comment in the caller's name; tells the people who are mentioned. Returns the message's id. */
export async function postComment(env: Env, thread: Thread, text: string): Promise<number> {
  await checkMayComment(env, thread);
  const details = await threadDetails(env, thread);
  const mentioned = mentionedIn(text);
  const names = await namesOf(env, mentioned);
  const nameOf = (id: number) => names.get(id) ?? null;
  const message = await addMessage(env, details, 'comment', markdownToHtml(text, nameOf));
  await tellMentioned(env, details, [...names.keys()], plainText(text, nameOf));
  return message;
}

/** Something the server says about a record. `html` is sanitised when it is stored. */
export async function addMessage(
  env: Env,
  thread: ThreadDetails,
  kind: 'comment' | 'system',
  html: string,
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
    });
  await tellPosted(env, thread, message);
  return message;
}

export async function tellPosted(
  env: Env,
  { model, id, companyId }: Omit<ThreadDetails, 'name'>,
  message: number,
): Promise<void> {
  await publish(env, 'chatter.posted', { model, id, message }, { model, companyId });
}

async function namesOf(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const users = await env
    .sudo()
    .model('core.user')
    .searchRead(
      [
        ['id', 'in', [...ids]],
        ['active', '=', true],
      ],
      ['name'],
    );
  return new Map(users.map((user) => [user.id, user.name]));
}
