import { mailPage } from './mail-page.ts';
import type { Mail, MailAttachment } from './send-mail.ts';

export interface MailContent {
  readonly to: string;
  readonly subject: string;
  /** Plain text; each becomes a paragraph. */
  readonly paragraphs: readonly string[];
  /** What to press, after the paragraphs. */
  readonly button?: { readonly label: string; readonly href: string } | null;
  /** Smaller, at the end. */
  readonly note?: string;
  readonly replyTo?: string;
  readonly attachments?: readonly MailAttachment[];
}

/**
 * One mail in plain text and in HTML, from the same words. Nothing in it is taken as HTML.
 * ```ts
 * export function welcome(to: string) {
 *   return composeMail({ to, subject: 'Welcome', paragraphs: ['Good to have you.'] });
 * }
 * ```
 */
export function composeMail({ to, subject, paragraphs, button, note, replyTo, attachments }: MailContent): Mail {
  const link = button ? [`${button.label}:\n${button.href}`] : [];
  const text = [...paragraphs, ...link, ...(note ? [note] : [])].join('\n\n');
  return {
    to,
    subject: oneLine(subject),
    text: `${text}\n`,
    html: mailPage({ subject: oneLine(subject), paragraphs, button: button ?? null, note: note ?? '' }),
    ...(replyTo ? { replyTo } : {}),
    ...(attachments ? { attachments } : {}),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
