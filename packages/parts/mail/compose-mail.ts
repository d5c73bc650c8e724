import { sourceLanguage } from '@kontor/kernel';
import type { MailFrame } from './company-frame.ts';
import { mailPage } from './mail-page.ts';
import type { Mail, MailAttachment } from './send-mail.ts';

interface MailButton {
  readonly label: string;
  readonly href: string;
}

/** The sentences come from `renderText`, or from whoever writes the mail: `kontor check` finds those in code. */
export interface MailContent {
  /** A single address. */
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  /** Plain text; each becomes a paragraph. */
  readonly paragraphs: readonly string[];
  /** The same as HTML without styles and with escaped texts, if it has more than paragraphs: lists, links, bold. */
  readonly html?: string;
  /** The sender's signature, below the paragraphs; plain text of several lines. */
  readonly signature?: string | null;
  /** The same as HTML. */
  readonly signatureHtml?: string;
  /** A button after the paragraphs: its label, as `renderText` returns it, or label and address. */
  readonly button?: string | MailButton | null;
  /** Where a button leads of which only the label is given; without it, there is no button. */
  readonly href?: string | null | undefined;
  /** Small text at the end. */
  readonly note?: string;
  /** A link at the very end that ends e-mails like this one; mail programs offer it as well. */
  readonly unsubscribe?: { readonly label: string; readonly href: string } | null;
  /** The language that it is written in, as `renderText` returns it; default: English. */
  readonly lang?: string | null;
  /** The address for replies. */
  readonly replyTo?: string;
  /** The letterhead of a company, from `companyFrame`; null: that of Kontor. */
  readonly frame?: MailFrame | null;
  /** The subject as a heading; default: true. Messages that a person wrote have none. */
  readonly hasTitle?: boolean;
  /** The page is shown in a browser and not sent: pictures are part of it. */
  readonly isPreview?: boolean;
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
export function composeMail({
  to,
  replyTo,
  attachments = [],
  frame = null,
  isPreview = false,
  ...content
}: MailContent): Mail {
  const { paragraphs, html, signatureHtml, hasTitle = true, note = '', unsubscribe = null } = content;
  const button = buttonOf(content);
  const lang = content.lang ?? sourceLanguage;
  const subject = oneLine(content.subject);
  const signature = content.signature?.trim() ?? '';
  const signed = signature === '' ? [] : [`-- \n${signature}`];
  const links = [button, unsubscribe].map((each) => (each ? [`${each.label}:\n${each.href}`] : []));
  const [link = [], end = []] = links;
  const letterhead = frame ? [frame.lines.join('\n') || frame.name] : [];
  const text = [...paragraphs, ...link, ...signed, ...(note ? [note] : []), ...end, ...letterhead].join('\n\n');
  const logo = logoOf(frame, isPreview);
  const page = {
    lang,
    subject,
    paragraphs,
    html,
    signature,
    signatureHtml,
    button,
    note,
    unsubscribe,
    hasTitle,
    frame,
  };
  const files = [...attachments, ...logo.files];
  return {
    to,
    subject,
    text: `${text}\n`,
    html: mailPage({ ...page, logo: logo.source }),
    ...(unsubscribe ? { unsubscribe: unsubscribe.href } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(files.length > 0 ? { attachments: files } : {}),
  };
}

function buttonOf({ button = null, href = null }: Pick<MailContent, 'button' | 'href'>) {
  if (typeof button !== 'string') return button;
  return button === '' || href === null ? null : { label: button, href };
}

/** Mail programs show a picture that is part of the mail at once; one from a server they ask about, and one in the page not at all. */
function logoOf(
  frame: MailFrame | null,
  isPreview: boolean,
): { source: string | null; files: readonly MailAttachment[] } {
  if (!frame?.logo) return { source: null, files: [] };
  const { content, contentType } = frame.logo;
  if (isPreview) return { source: `data:${contentType};base64,${content.toString('base64')}`, files: [] };
  const filename = `logo.${contentType.split('/')[1]}`;
  return { source: 'cid:logo@frame', files: [{ filename, contentType, content, cid: 'logo@frame' }] };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
