import { addMessage, answersTo, fillTemplate, outsideMail } from '@addons/mail';
import { portalLink } from '@addons/portal';
import {
  type EditableText,
  type Env,
  fields,
  isMailAddress,
  queueMail,
  renderText,
  type TextValues,
  toHtml,
  ValidationError,
} from '@kontor/addon';

/** The e-mail that takes a document to its customer. */
export interface Letter {
  readonly recipient: string | null;
  readonly subject: string;
  readonly body: string;
  /** The label of the link to the customer's page. */
  readonly button: string;
  readonly lang: string | null;
}

/** What the dialog of a letter asks for. */
export const letterAsks = (model: string) => ({
  notice: fields.html({ label: 'No mail server', readonly: true }),
  recipient: fields.char({ label: 'To', size: 320 }),
  template_id: fields.many2one('mail.template', {
    ...{ label: 'Template', domain: [['model', '=', model]] },
    help: 'Instead of the usual text.',
  }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
});
type Written = Readonly<Record<'recipient' | 'subject' | 'body', string | null>>;

export function checkRecipient({ recipient }: Written): void {
  if (recipient !== null && !isMailAddress(recipient)) {
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  }
}

/** A letter with what somebody wrote instead. */
export function withWritten(letter: Letter, { recipient, subject, body }: Written): Letter {
  return {
    ...letter,
    recipient: recipient ?? letter.recipient,
    subject: subject ?? letter.subject,
    body: body ?? letter.body,
  };
}

interface About {
  readonly model: string;
  readonly id: number;
  readonly companyId: number;
  readonly recipient: string | null;
  readonly lang: string | null;
}

/** A template in the language of the customer, otherwise the text. */
export async function letterOf<T extends EditableText>(
  env: Env,
  { model, id, companyId, recipient, lang }: About,
  definition: T,
  values: TextValues<T>,
  template: number | null = null,
): Promise<Letter> {
  const { subject, body, button } = await renderText(env, definition, { lang, companyId }, values);
  const filled = template === null ? {} : await fillTemplate(env, { template, model, id, lang });
  return { recipient, subject, body, button, lang, ...filled };
}

interface Thread {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly companyId: number;
}
type Addressed = Letter & { readonly recipient: string };

interface Sent {
  readonly letter: Addressed;
  readonly file: { readonly name: string; readonly pdf: Buffer };
  /** Who gets answers where no mailbox takes them. */
  readonly sender: string | null;
}

/** Queues a letter with its document and a link to the customer's page. The key of the mail; null if no mail server is set up. */
export async function queueLetter(env: Env, thread: Thread, { letter, file, sender }: Sent): Promise<string | null> {
  const { recipient: to, ...said } = letter;
  const answers = await answersTo(env, thread, sender);
  const mail = await outsideMail(env, {
    ...{ ...said, to, companyId: thread.companyId, isSigned: false, href: await portalLink(env, thread, to) },
    attachments: [{ filename: file.name, contentType: 'application/pdf', content: file.pdf }],
  });
  return (await queueMail(env, { ...mail, ...answers })) ? answers.key : null;
}

/** Tells the discussion what was sent, with a link to the file. */
export async function tellSent(
  env: Env,
  thread: Thread,
  { recipient, subject }: Addressed,
  { name, path, key, more = '' }: Readonly<Record<'name' | 'path' | 'key', string>> & { readonly more?: string },
): Promise<void> {
  const told = `<p>${toHtml(recipient)} ← ${toHtml(subject)} (<a href="${path}">${toHtml(name)}</a>)</p>${more}`;
  await addMessage(env, thread, 'system', told, { mail: key });
}
