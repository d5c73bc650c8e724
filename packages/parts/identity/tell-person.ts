import { type NoticeSpec, type PersonWords, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { Notification, Words } from '@kontor/protocol';
import { noticeWays } from '../events/notice-ways.ts';
import { notify, notifyQuietly } from '../events/notification.ts';
import { quietUntil } from '../events/quiet-hours.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { isMailAddress } from '../mail/send-mail.ts';
import { textMail } from '../mail/text-mail.ts';
import { recordLink, recordPath } from '../settings/config-parameter.ts';
import { noticeText } from './identity-texts.ts';
import { unsubscribeLink } from './unsubscribe.ts';

export interface News {
  readonly kind?: Notification['kind'];
  readonly title: Words;
  /** Below the title, in the client. */
  readonly body: Words;
  /** What to open: a record that the user may read. */
  readonly about: { readonly model: string; readonly id: number; readonly name: string } | null;
  /** Null: nothing by mail, whatever the user chose. */
  readonly mail: {
    /** By default the title. */
    readonly subject?: Words;
    readonly paragraphs: readonly Words[];
    /** The sender. */
    readonly signature?: string | null;
    /** What its link to unsubscribe ends, for a route of the addon; by default mails of this kind. */
    readonly ends?: readonly (string | number)[];
  } | null;
  /** In the client it is counted and listed, and nothing appears over what the user does. */
  readonly isQuiet?: boolean;
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
  const { kind = 'info', title, body, about, mail, isQuiet = false } = newsFor({ ...words, tz: String(user.tz) });
  if (way.inClient) {
    const link = about ? { href: recordPath(about.model, about.id) } : {};
    const tell = isQuiet ? notifyQuietly : notify;
    await tell(env, userId, { kind, title: words.say(title), body: words.say(body), ...link });
  }
  const to = String(user.email ?? '');
  if (!way.byMail || mail === null || !isMailAddress(to)) return;
  const href = about && (await recordLink(env, about.model, about.id));
  const message = mail.paragraphs.map((paragraph) => words.say(paragraph)).join('\n\n');
  const values = { title: words.say(mail.subject ?? title), message, record: about?.name ?? null };
  const companyId = user.company_id as number;
  const end = await unsubscribeLink(env, mail.ends ?? ['notice', userId, spec.name, spec.usual]);
  const unsubscribe = end === null ? null : { label: words.say('Stop e-mails like this'), href: end };
  const at = await quietUntil(env, userId, String(user.tz), spec);
  await queueMail(env, {
    ...(await textMail(env, noticeText, {
      ...{ to, lang: words.lang, companyId, values, signature: mail.signature ?? null, href, unsubscribe },
    })),
    ...(at === null ? {} : { at }),
    ...(about ? { reader: { userId, model: about.model, id: about.id } } : {}),
  });
}
