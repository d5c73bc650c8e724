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

const styles = {
  body: 'margin:0;padding:24px;background:#f4f4f5;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#18181b',
  card: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px',
  button:
    'display:inline-block;padding:10px 18px;background:#2f5fd0;color:#ffffff;border-radius:6px;text-decoration:none',
  note: 'color:#71717a;font-size:13px',
} as const;

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
  const parts = paragraphs.map((paragraph) => `<p>${toHtml(paragraph).replaceAll('\n', '<br>')}</p>`);
  if (button)
    parts.push(`<p><a href="${toHtml(button.href)}" style="${styles.button}">${toHtml(button.label)}</a></p>`);
  if (note) parts.push(`<p style="${styles.note}">${toHtml(note)}</p>`);
  const html =
    `<!doctype html><html><head><meta charset="utf-8"><title>${toHtml(subject)}</title></head>` +
    `<body style="${styles.body}"><div style="${styles.card}">${parts.join('')}</div></body></html>`;
  return {
    to,
    subject: oneLine(subject),
    text: `${text}\n`,
    html,
    ...(replyTo ? { replyTo } : {}),
    ...(attachments ? { attachments } : {}),
  };
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
