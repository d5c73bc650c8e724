import { type NoticeSpec, type PersonWords, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { Notification, Words } from '@kontor/protocol';
import { noticeWays } from '../events/notice-ways.ts';
import { notify } from '../events/notification.ts';
import { composeMail } from '../mail/compose-mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { isMailAddress } from '../mail/send-mail.ts';
import { recordLink, recordPath } from '../settings/config-parameter.ts';
import { renderText } from '../texts/render-text.ts';
import { noticeText } from './identity-texts.ts';

export interface News {
  readonly kind?: Notification['kind'];
  readonly title: Words;
  /** Below the title, in the client. */
  readonly body: Words;
  /** What to open: a record that the user may read. */
  readonly about: { readonly model: string; readonly id: number; readonly name: string } | null;
  readonly mail: {
    /** By default the title. */
    readonly subject?: Words;
    readonly paragraphs: readonly Words[];
    /** The sender. */
    readonly signature?: string | null;
  };
}

/** The recipient: their language and time zone. */
export interface Reader extends PersonWords {
  readonly tz: string;
}

/**
 * Notifies a user in their language and in the way chosen in the profile: in the client, and by mail if mail is set up and they
 * have an address. Users who can no longer sign in are not notified.
 * ```ts
 * const due: NoticeSpec = { name: 'library.due', label: text('A book is due'), usual: 'both' };
 * export async function tellDue(env: Env, userId: number, book: { id: number; name: string }) {
 *   await tellPerson(env, userId, due, () => ({
 *     title: text('{book} is due', { book: book.name }),
 *     body: '',
 *     about: { model: 'library.book', ...book },
 *     mail: { paragraphs: ['Please bring it back.'] },
 *   }));
 * }
 * ```
 */
export async function tellPerson(
  env: Pick<Env, 'db' | 'work' | 'registry'> & { sudo(): unknown },
  userId: number,
  spec: NoticeSpec,
  newsFor: (reader: Reader) => News,
): Promise<void> {
  const way = (await noticeWays(env, [userId], spec)).get(userId);
  if (!way?.inClient && !way?.byMail) return;
  // As the server: the sender learns neither the address of the recipient nor how they read it.
  const users = (env.sudo() as Env).model('core.user');
  const [user] = await users.searchRead(
    [
      ['id', '=', userId],
      ['active', '=', true],
    ],
    ['lang', 'tz', 'email', 'company_id'],
  );
  if (!user) return;
  const words = wordsIn(env, String(user.lang), spec.name.split('.')[0]);
  const { kind = 'info', title, body, about, mail } = newsFor({ ...words, tz: String(user.tz) });
  if (way.inClient) {
    const link = about ? { href: recordPath(about.model, about.id) } : {};
    await notify(env, userId, { kind, title: words.say(title), body: words.say(body), ...link });
  }
  const to = String(user.email ?? '');
  if (!way.byMail || !isMailAddress(to)) return;
  const href = about && (await recordLink(env, about.model, about.id));
  const message = mail.paragraphs.map((paragraph) => words.say(paragraph)).join('\n\n');
  const values = { title: words.say(mail.subject ?? title), message, record: about?.name ?? null };
  const reader = { lang: words.lang, companyId: user.company_id as number };
  const { button: label, ...said } = await renderText(env, noticeText, reader, values);
  const button = href ? { label, href } : null;
  await queueMail(env, composeMail({ to, ...said, signature: mail.signature ?? null, button }));
}
