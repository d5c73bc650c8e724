import { directionOf, languageTag, sourceLanguage } from '@kontor/kernel';
import { toHtml } from '../texts/render-text.ts';
import type { Mail, MailAttachment } from './send-mail.ts';

/** The sentences come from `renderText`, or from whoever writes the mail: `kontor check` finds those in code. */
export interface MailContent {
  /** A single address. */
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  /** Plain text; each becomes a paragraph. */
  readonly paragraphs: readonly string[];
  /** The sender's signature, below the paragraphs; plain text of several lines. */
  readonly signature?: string | null;
  /** A button after the paragraphs. */
  readonly button?: { readonly label: string; readonly href: string } | null;
  /** Small text at the end. */
  readonly note?: string;
  /** A link at the very end that ends e-mails like this one; mail programs offer it as well. */
  readonly unsubscribe?: { readonly label: string; readonly href: string } | null;
  /** The language that it is written in, as `renderText` returns it; default: English. */
  readonly lang?: string | null;
  /** The address for replies. */
  readonly replyTo?: string;
  /** Attached files. */
  readonly attachments?: readonly MailAttachment[];
}

/**
 * Creates a mail in plain text and HTML from the same texts, which are escaped.
 * ```ts
 * const welcome = defineText('library.welcome', { label: 'Welcome', subject: 'Welcome', body: ['Good to have you.'], values: {} });
 * export async function welcomeMail(env: Env, to: string, lang: string) {
 *   const { subject, paragraphs } = await renderText(env, welcome, { lang }, {});
 *   return composeMail({ to, lang, subject, paragraphs });
 * }
 * ```
 */
export function composeMail({ to, replyTo, attachments, ...content }: MailContent): Mail {
  const { paragraphs, button = null, note = '', unsubscribe = null } = content;
  const lang = content.lang ?? sourceLanguage;
  const subject = oneLine(content.subject);
  const signature = content.signature?.trim() ?? '';
  const signed = signature === '' ? [] : [`-- \n${signature}`];
  const link = button ? [`${button.label}:\n${button.href}`] : [];
  const end = unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.href}`] : [];
  const text = [...paragraphs, ...link, ...signed, ...(note ? [note] : []), ...end].join('\n\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: mailPage({ lang, subject, paragraphs, signature, button, note, unsubscribe }),
    ...(unsubscribe ? { unsubscribe: unsubscribe.href } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(attachments ? { attachments } : {}),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

export interface MailPage {
  readonly lang: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly signature?: string;
  readonly button: { readonly label: string; readonly href: string } | null;
  readonly note: string;
  readonly unsubscribe?: { readonly label: string; readonly href: string } | null;
}

/** The client's own colours, written out: mail knows neither tokens nor style sheets, and some readers no `div`. */
const styles = {
  body: 'margin:0;padding:32px 16px;background:#f6f6f3;font-family:Inter,-apple-system,"Segoe UI",system-ui,sans-serif;font-size:15px;line-height:1.55;color:#1d2226',
  outer: 'max-width:560px;width:100%;margin:0 auto;border-spacing:0',
  head: 'padding:0 4px 16px;font-weight:600;font-size:15px',
  mark: 'display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:7px;background:#0e6273;color:#ffffff;font-weight:700;line-height:28px;text-align:center;vertical-align:middle',
  card: 'padding:28px;background:#ffffff;border:1px solid #e4e3dd;border-radius:12px',
  title: 'margin:0 0 16px;font-size:19px;line-height:1.35;font-weight:600',
  paragraph: 'margin:0 0 14px;overflow-wrap:anywhere',
  signature: 'margin:22px 0 0;color:#5a6269;overflow-wrap:anywhere',
  buttonLine: 'margin:22px 0 6px',
  button:
    'display:inline-block;padding:11px 20px;background:#0e6273;color:#ffffff;border-radius:7px;font-weight:600;text-decoration:none',
  address: 'margin:12px 0 0;color:#646c73;font-size:12px;overflow-wrap:anywhere',
  link: 'color:#0e6273',
  note: 'margin:20px 0 0;padding-top:16px;border-top:1px solid #e4e3dd;color:#5a6269;font-size:13px',
} as const;

/** The HTML of a mail. All values are escaped. */
export function mailPage(content: MailPage): string {
  const { lang, subject, paragraphs, signature = '', button, note, unsubscribe = null } = content;
  const parts = [
    `<h1 style="${styles.title}">${toHtml(subject)}</h1>`,
    ...paragraphs.map((text) => `<p style="${styles.paragraph}">${toHtml(text).replaceAll('\n', '<br>')}</p>`),
    ...(button ? [buttonOf(button.label, button.href)] : []),
    ...(signature ? [`<p style="${styles.signature}">${toHtml(signature).replaceAll('\n', '<br>')}</p>`] : []),
    ...(note ? [`<p style="${styles.note}">${toHtml(note)}</p>`] : []),
    ...(unsubscribe
      ? [`<p style="${styles.note}"><a href="${toHtml(unsubscribe.href)}">${toHtml(unsubscribe.label)}</a></p>`]
      : []),
  ];
  return (
    `<!doctype html><html lang="${languageTag(lang)}" dir="${directionOf(lang)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light"><title>${toHtml(subject)}</title></head>` +
    `<body style="${quoted(styles.body)}"><table role="presentation" style="${styles.outer}">` +
    `<tr><td style="${styles.head}"><span style="${styles.mark}" aria-hidden="true">K</span>Kontor</td></tr>` +
    `<tr><td style="${styles.card}">${parts.join('')}</td></tr></table></body></html>`
  );
}

/** For mail programs that show no button, the address can be copied. */
function buttonOf(label: string, href: string): string {
  const target = toHtml(href);
  return (
    `<p style="${styles.buttonLine}"><a href="${target}" style="${styles.button}">${toHtml(label)}</a></p>` +
    `<p style="${styles.address}"><a href="${target}" style="${styles.link}">${target}</a></p>`
  );
}

function quoted(style: string): string {
  return style.replaceAll('"', '&quot;');
}
