import { addMessage, answersTo, fillTemplate, outsideMail } from '@addons/mail';
import { portalLink } from '@addons/portal';
import {
  type ActionCall,
  canMail,
  type Env,
  fields,
  isMailAddress,
  mailSetupLink,
  openPath,
  queueMail,
  renderText,
  text,
  toHtml,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { type Archived, archive, archivedInvoice, type Letter } from './archive.ts';
import { creditMail, invoiceMail, invoiceValues } from './invoice-texts.ts';
import { langOf, loadInvoice, type PrintedInvoice } from './load-invoice.ts';

const asks = {
  notice: fields.html({ label: 'No mail server', readonly: true }),
  recipient: fields.char({ label: 'To', size: 320 }),
  template_id: fields.many2one('mail.template', {
    ...{ label: 'Template', domain: [['model', '=', 'invoice.invoice']] },
    help: 'Instead of the usual text.',
  }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
};
type Call = ActionCall<'invoice.invoice', typeof asks>;

/** Mails each invoice to its customer, with the default text unless another is given. */
export const sendInvoice = {
  label: 'Send',
  icon: 'send',
  groups: ['invoice.group_user'],
  needs: 'read',
  asks,
  proposes: proposeLetter,
  run: sendInvoices,
} as const;

export const printInvoice = {
  label: 'Print',
  icon: 'printer',
  needs: 'read',
  single: 'Choose one invoice.',
  async run({ env, records }: ActionCall<'invoice.invoice'>) {
    const { id, state } = await records.only('state');
    if (state !== 'posted') return openPath(`/web/invoice/draft/${id}.pdf`);
    return openPath(`/web/invoice/document/${(await archivedInvoice(env, id)).id}.pdf`);
  },
} as const;

/** With several invoices, each has its own letter. */
async function proposeLetter({
  env,
  records,
  answers,
}: Pick<Call, 'env' | 'records'> & { answers: Partial<Call['answers']> }) {
  const [id, ...others] = records.ids;
  if (id === undefined || others.length > 0) return {};
  const notice = (await canMail(env)) ? {} : { notice: noMailNotice(env) };
  const {
    button: _,
    lang: __,
    ...letter
  } = await chosenLetter(env, await loadInvoice(env, id), answers.template_id ?? null);
  return { value: { ...letter, ...notice } };
}

/** Said before somebody writes a letter that cannot be sent. */
export function noMailNotice(env: Env): string {
  const { say } = wordsIn(env, env.actor.lang, 'invoice');
  return `<p>${say('No mail server is set up, so nothing can be sent. You can print the document.')} ${mailSetupLink(env)}</p>`;
}

async function sendInvoices({ env, records, answers }: Call): Promise<void> {
  const { recipient, subject, body, template_id: template } = answers;
  if (recipient !== null && !isMailAddress(recipient)) {
    throw new ValidationError({ recipient: ['Enter a valid e-mail address.'] });
  }
  for (const id of records.ids) {
    const invoice = await loadInvoice(env, id);
    if (invoice.state !== 'posted') throw new UserError('Post the invoice first.');
    const usual = await chosenLetter(env, invoice, template);
    const letter = {
      recipient: recipient ?? usual.recipient,
      subject: subject ?? usual.subject,
      body: body ?? usual.body,
      button: usual.button,
      lang: usual.lang,
    };
    await mailDocument(env, invoice, letter, await archivedInvoice(env, id), 'invoice');
  }
}

type Draft = Omit<Letter, 'recipient'> & {
  readonly recipient: string | null;
  /** The label of the link to the customer's page. */
  readonly button: string;
  readonly lang: string | null;
};

/** Queues the mail, keeps what is sent, and tells the discussion. */
export async function mailDocument(
  env: Env,
  invoice: PrintedInvoice,
  letter: Draft,
  { name, pdf }: Pick<Archived, 'name' | 'pdf'>,
  kind: 'invoice' | 'reminder',
): Promise<number> {
  const { recipient, subject, body, button, lang } = letter;
  if (!recipient) {
    const number = invoice.name ?? '';
    throw new UserError(text('Enter a recipient for {number}: the customer has no e-mail address.', { number }));
  }
  const href = await portalLink(env, { model: 'invoice.invoice', id: invoice.id }, recipient);
  const companyId = invoice.company_id.id;
  const thread = { model: 'invoice.invoice', id: invoice.id, name: invoice.name ?? '', companyId };
  const answers = await answersTo(env, thread, invoice.user_id?.email ?? null);
  const mail = await outsideMail(env, {
    ...{ to: recipient, lang, subject, body, companyId, isSigned: false },
    button: href === null ? null : { label: button, href },
    attachments: [{ filename: name, contentType: 'application/pdf', content: pdf }],
  });
  if (!(await queueMail(env, { ...mail, ...answers })))
    throw new UserError('No mail server is set up. Print the document instead.');
  const id = await archive(env, invoice.id, { kind, name, pdf, letter: { recipient, subject, body } });
  const file = `<a href="/web/invoice/document/${id}.pdf">${toHtml(name)}</a>`;
  const told = `<p>${toHtml(recipient)} ← ${toHtml(subject)} (${file})</p>`;
  await addMessage(env, thread, 'system', told, { mail: answers.key });
  return id;
}

/** A text in the customer's language. */
export async function letterFor(env: Env, invoice: PrintedInvoice, definition: typeof invoiceMail): Promise<Draft> {
  const reader = { lang: langOf(invoice), companyId: invoice.company_id.id };
  const { subject, body, button } = await renderText(env, definition, reader, invoiceValues(invoice));
  return {
    recipient: invoice.address_id?.email ?? invoice.partner_id.email,
    subject,
    body,
    button,
    lang: langOf(invoice),
  };
}

function usualLetter(env: Env, invoice: PrintedInvoice): Promise<Draft> {
  return letterFor(env, invoice, invoice.type === 'credit' ? creditMail : invoiceMail);
}

/** A template in the customer's language, otherwise the usual text. */
async function chosenLetter(env: Env, invoice: PrintedInvoice, template: number | null): Promise<Draft> {
  const usual = await usualLetter(env, invoice);
  if (template === null) return usual;
  const filled = await fillTemplate(env, { template, model: 'invoice.invoice', id: invoice.id, lang: usual.lang });
  return { ...usual, ...filled };
}
