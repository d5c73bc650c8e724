import { type Env, mayPersonRead, type Text, text } from '@kontor/addon';
import { notifyPerson } from './notify-person.ts';
import type { ThreadDetails } from './thread.ts';

/** Tells the people who are mentioned, as far as they may read the record; nobody is told of what they say themselves. */
export async function notifyMentioned(
  env: Env,
  thread: ThreadDetails,
  people: readonly number[],
  excerpt: string,
): Promise<void> {
  const others = people.filter((uid) => uid !== env.uid);
  if (others.length === 0) return;
  const author = await authorName(env);
  for (const uid of others) {
    if (!(await mayPersonRead(env, uid, thread.model, thread.id))) continue;
    await notifyPerson(env, uid, thread, {
      title: text('{author} mentioned you', { author }),
      line: text('{author} mentioned you on {name}:', { author, name: thread.name }),
      body: excerpt,
    });
  }
}

export async function authorName(env: Env): Promise<string | Text> {
  if (env.uid === 0) return 'Kontor';
  // As the server: one's own name, in a notice to somebody who may read the record.
  const [user] = await env.sudo().model('core.user').read([env.uid], ['name']);
  return user?.name ?? text('Somebody');
}
