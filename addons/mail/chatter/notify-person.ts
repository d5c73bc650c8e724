import { type Env, type NoticeSpec, tellPerson, type Words } from '@kontor/addon';
import type { ThreadDetails } from './thread.ts';

export interface Notice {
  /** The kind of notification, whose channel the user chose. */
  readonly spec: NoticeSpec;
  readonly title: Words;
  /** The first sentence of the mail. */
  readonly line: Words;
  /** Its record. */
  readonly body: Words;
  /** The sender's signature, for the mail. */
  readonly signature?: string | null;
}

/** A notification about a record to one user who may read it. */
export async function notifyPerson(env: Env, uid: number, thread: ThreadDetails, notice: Notice): Promise<void> {
  const { title, line, body, signature = null } = notice;
  const { model, id, name } = thread;
  await tellPerson(env, uid, notice.spec, ({ say }) => ({
    title,
    body: [name, say(body)].filter((part) => part !== '').join(': '),
    about: { model, id, name },
    mail: {
      subject: `${say(title)}: ${name}`,
      paragraphs: [line, body].filter((part) => part !== ''),
      signature,
    },
  }));
}
