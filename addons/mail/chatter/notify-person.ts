import {
  composeMail,
  type Env,
  isMailAddress,
  type NoticeSpec,
  noticeWays,
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
  /** Which kind it is, for the way that the person chose. */
  readonly spec: NoticeSpec;
  readonly title: Words;
  /** How the mail begins. */
  readonly line: Words;
  /** What it is about. */
  readonly body: Words;
  /** Of who says it, for the mail. */
  readonly signature?: string | null;
}

/**
 * A notice about a record to one person, in their language and in the way that they chose: in the client, and by mail where that
 * is set up and they have an address.
 */
export async function notifyPerson(env: Env, uid: number, thread: ThreadDetails, notice: Notice): Promise<void> {
  const { model, id, name } = thread;
  const ways = (await noticeWays(env, [uid], notice.spec)).get(uid);
  const words = await wordsFor(env, uid, 'mail');
  const title = words.say(notice.title);
  const body = words.say(notice.body);
  if (ways?.inClient) {
    await notify(env, uid, {
      kind: 'info',
      title,
      body: [name, body].filter((part) => part !== '').join(': '),
      href: recordPath(model, id),
    });
  }
  if (!ways?.byMail) return;
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
      signature: notice.signature ?? null,
      button: href ? { label: text('Open {name}', { name }), href } : null,
      words,
    }),
  );
}
