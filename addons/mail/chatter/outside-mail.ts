import { companyFrame, composeMail, type Env } from '@kontor/addon';
import { markdownToHtml, mentionedIn } from './markdown.ts';

type MailContent = Parameters<typeof composeMail>[0];

interface Written
  extends Pick<
    MailContent,
    'to' | 'lang' | 'subject' | 'replyTo' | 'attachments' | 'isPreview' | 'note' | 'unsubscribe' | 'button' | 'href'
  > {
  /** Light Markdown. */
  readonly body: string;
  /** Values for marks in the body, which are put in after it was read as Markdown: as text, whatever they contain. */
  readonly values?: MarkedValues;
  readonly companyId: number | null;
  /** With the signature of the sender, who is the actor; default: true. */
  readonly isSigned?: boolean;
}

/** Places in a text for values that are not Markdown: a contact's name makes no link. */
export interface MarkedValues {
  /** The text without its values: each place is one private character after the other. */
  readonly texts: readonly string[];
}

/** A message that a person writes to people outside: light Markdown in the frame of the company, above the sender's signature. */
export async function outsideMail(env: Env, { body, values, companyId, isSigned = true, ...content }: Written) {
  const signature = isSigned ? await ownSignature(env) : '';
  const fill = (text: string, asText: (value: string) => string = String) => filled(text, values, asText);
  return composeMail({
    ...content,
    paragraphs: plainParagraphs(body).map((each) => fill(each)),
    html: fill(outsideHtml(body), escapeHtml),
    ...(signature === ''
      ? {}
      : { signature: plainParagraphs(signature).join('\n\n'), signatureHtml: outsideHtml(signature) }),
    hasTitle: false,
    frame: await companyFrame(env, companyId, content.lang ?? null),
  });
}

/** As the server: one's own. */
async function ownSignature(env: Env): Promise<string> {
  const [me] = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', '=', env.uid]], ['signature']);
  return me?.signature?.trim() ?? '';
}

/** Links into Kontor lead people outside nowhere, so that only their words are sent. */
function outsideHtml(body: string): string {
  return markdownToHtml(body, () => null).replaceAll(/<a href="\/[^"]*">(.*?)<\/a>/g, '$1');
}

/** Without the marks of Markdown, with the addresses of links. */
function plainParagraphs(body: string): readonly string[] {
  const named = mentionedIn(body).length > 0 ? body.replaceAll(/@\[([^\]\n]{1,200})\]\(user:\d{1,9}\)/g, '@$1') : body;
  return named
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((part) =>
      part
        .replaceAll(/\*\*(\S[^*\n]*)\*\*/g, '$1')
        .replaceAll(/\[([^\]\n]{1,500})\]\((https?:\/\/[^)\s]{1,2000})\)/g, '$1 ($2)')
        .trim(),
    )
    .filter((part) => part !== '');
}

const firstMark = 0xe000;
const marks = /[\ue000-\uf8ff]/g;

/** A private character that stands for the value at a place in the list. */
export function markFor(at: number): string {
  return String.fromCharCode(firstMark + at);
}

/** Without characters that could be taken for marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, '');
}

function filled(text: string, values: MarkedValues | undefined, asText: (value: string) => string): string {
  if (!values) return text;
  return text.replaceAll(marks, (mark) => asText(values.texts[mark.charCodeAt(0) - firstMark] ?? ''));
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replaceAll('\n', '<br>');
}
