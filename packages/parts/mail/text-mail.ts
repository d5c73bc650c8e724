import type { Env } from '@kontor/orm';
import type { Env as AuthorEnv, EditableText, TextValues } from '@kontor/orm/author';
import { renderText, type TextReader } from '../texts/render-text.ts';
import { companyFrame } from './company-frame.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import type { Mail } from './send-mail.ts';

interface TextMail<T> extends TextReader, Omit<MailContent, 'lang' | 'subject' | 'paragraphs' | 'html' | 'frame'> {
  readonly values: TextValues<T>;
  /** In the letterhead of the company: for people outside. */
  readonly isFramed?: boolean;
}

/**
 * The mail of a text that administrators can change, in the language of its recipient.
 * ```ts
 * const overdue = defineText('library.late', {
 *   label: 'Overdue',
 *   subject: 'Please return {book}',
 *   body: ['It was due yesterday.'],
 *   values: { book: { label: 'Book', sample: 'Momo' } },
 * });
 * export async function remind(env: Env, to: string, lang: string) {
 *   await queueMail(env, await textMail(env, overdue, { to, lang, values: { book: 'Momo' } }));
 * }
 * ```
 */
export async function textMail<T extends EditableText>(
  env: Pick<Env, 'registry'> & { sudo(): unknown },
  definition: T,
  { lang, companyId = null, values, isFramed = false, ...content }: TextMail<T>,
): Promise<Mail> {
  const said = await renderText(env, definition, { lang, companyId }, values);
  const frame = isFramed ? await companyFrame(env as AuthorEnv, companyId, lang) : null;
  return composeMail({ ...said, frame, ...content });
}
