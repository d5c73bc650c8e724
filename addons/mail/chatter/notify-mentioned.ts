import { type Env, inNameOf, mayPersonRead, type Text, text } from '@kontor/addon';
import { hearsHere } from '../following/hearing.ts';
import { keepFollower } from '../following/keep-follower.ts';
import { mentioned } from './notices.ts';
import { notifyPerson } from './notify-person.ts';
import { isGuest, type ThreadDetails } from './thread.ts';

/** Notifies mentioned users who may read the record and its notes, except the author. Returns those who may not. */
export async function notifyMentioned(
  env: Env,
  thread: ThreadDetails,
  people: readonly number[],
  excerpt: string,
): Promise<readonly number[]> {
  const others = people.filter((uid) => uid !== env.uid);
  if (others.length === 0) return [];
  const unseen: number[] = [];
  const { name: author, signature } = await authorOf(env);
  for (const uid of others) {
    if (!(await mayPersonRead(env, uid, thread.model, thread.id)) || (await isPersonGuest(env, uid))) {
      unseen.push(uid);
      continue;
    }
    await keepFollower(env, thread, uid, 'mentioned');
    if ((await hearsHere(env, uid, thread)) === 'none') continue;
    await notifyPerson(env, uid, thread, {
      ...{ spec: mentioned, signature },
      title: text('{author} mentioned you', { author }),
      line: text('{author} mentioned you on {name}:', { author, name: thread.name }),
      body: excerpt,
    });
  }
  return unseen;
}

/** Guests do not read notes, whatever record they may read. */
export async function isPersonGuest(env: Env, uid: number): Promise<boolean> {
  const theirs = await inNameOf(env, uid);
  return theirs === null || isGuest(theirs);
}

interface Author {
  readonly name: string | Text;
  readonly signature: string | null;
}

export async function authorOf(env: Env): Promise<Author> {
  if (env.uid === 0) return { name: 'Kontor', signature: null };
  // As the server: the author's own name and signature, in a notification to a user who may read the record.
  const [user] = await env.sudo().model('core.user').read([env.uid], ['name', 'signature']);
  return { name: user?.name ?? text('Somebody'), signature: user?.signature ?? null };
}
