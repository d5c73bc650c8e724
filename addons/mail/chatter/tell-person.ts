import { composeMail, type Env, notify, queueMail, recordLink, recordPath } from '@kontor/addon';
import type { ThreadDetails } from './thread.ts';

export interface Notice {
  readonly title: string;
  /** How the mail begins. */
  readonly line: string;
  /** What it is about. */
  readonly text: string;
}

/** A notice about a record to one person: in the client, and by mail where that is set up and they have an address. */
export async function tellPerson(env: Env, uid: number, thread: ThreadDetails, notice: Notice): Promise<void> {
  const { model, id, name } = thread;
  await notify(env, uid, {
    kind: 'info',
    title: notice.title,
    body: [name, notice.text].filter((part) => part !== '').join(': '),
    href: recordPath(model, id),
  });
  const [user] = await env.sudo().model('core.user').read([uid], ['email']);
  if (!user?.email) return;
  const href = await recordLink(env, model, id);
  await queueMail(
    env,
    composeMail({
      to: user.email,
      subject: `${notice.title}: ${name}`,
      paragraphs: [notice.line, notice.text].filter((part) => part !== ''),
      button: href ? { label: `Open ${name}`, href } : null,
    }),
  );
}
