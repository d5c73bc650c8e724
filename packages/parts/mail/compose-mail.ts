import { type PersonWords, sourceLanguage } from '@kontor/kernel';
import { inEnglish, type Words } from '@kontor/protocol';
import { mailPage } from './mail-page.ts';
import type { Mail, MailAttachment } from './send-mail.ts';

export interface MailContent {
  readonly to: string;
  readonly subject: Words;
  /** Plain text; each becomes a paragraph. */
  readonly paragraphs: readonly Words[];
  /** What to press, after the paragraphs. */
  readonly button?: { readonly label: Words; readonly href: string } | null;
  /** Smaller, at the end. */
  readonly note?: Words;
  /** How the receiver is spoken to; English when absent. */
  readonly words?: PersonWords;
  readonly replyTo?: string;
  readonly attachments?: readonly MailAttachment[];
}

const english: PersonWords = { lang: sourceLanguage, say: inEnglish };

/**
 * One mail in plain text and in HTML, from the same words. Nothing in it is taken as HTML.
 * ```ts
 * export function welcome(to: string) {
 *   return composeMail({ to, subject: 'Welcome', paragraphs: ['Good to have you.'] });
 * }
 * ```
 */
export function composeMail({ to, words = english, replyTo, attachments, ...content }: MailContent): Mail {
  const { lang, say } = words;
  const subject = oneLine(say(content.subject));
  const paragraphs = content.paragraphs.map((paragraph) => say(paragraph));
  const button = content.button ? { ...content.button, label: say(content.button.label) } : null;
  const note = content.note === undefined ? '' : say(content.note);
  const link = button ? [`${button.label}:\n${button.href}`] : [];
  const text = [...paragraphs, ...link, ...(note ? [note] : [])].join('\n\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: mailPage({ lang, subject, paragraphs, button, note }),
    ...(replyTo ? { replyTo } : {}),
    ...(attachments ? { attachments } : {}),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
