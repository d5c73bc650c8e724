import {
  composeMail,
  type Env,
  isMailAddress,
  notify,
  queueMail,
  recordLink,
  recordPath,
  text,
  type Words,
  wordsFor,
} from '@kontor/addon';
import type { ThreadDetails } from './thread.ts';

export interface Notice {
  readonly title: Words;
  /** How the mail begins. */
  readonly line: Words;
  /** What it is about. */
  readonly body: Words;
}

/** A notice about a record to one person, in their language: in the client, and by mail where that is set up and they have an address. */
export async function notifyPerson(env: Env, uid: number, thread: ThreadDetails, notice: Notice): Promise<void> {
  const { model, id, name } = thread;
  const words = await wordsFor(env, uid, 'mail');
  const title = words.say(notice.title);
  const body = words.say(notice.body);
  await notify(env, uid, {
    kind: 'info',
    title,
    body: [name, body].filter((part) => part !== '').join(': '),
    href: recordPath(model, id),
  });
  // As the server: whoever causes the mail does not learn the address.
  const [user] = await env.sudo().model('core.user').read([uid], ['email']);
  if (!user?.email || !isMailAddress(user.email)) return;
  const href = await recordLink(env, model, id);
  await queueMail(
    env,
    composeMail({
      to: user.email,
      subject: `${title}: ${name}`,
      paragraphs: [notice.line, notice.body].filter((part) => part !== ''),
      button: href ? { label: text('Open {name}', { name }), href } : null,
      words,
    }),
  );
}
