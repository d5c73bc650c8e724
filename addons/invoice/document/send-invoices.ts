import { checkRecipient, type Letter, letterAsks, letterOf, queueLetter, tellSent, withWritten } from '@addons/sale';
import { type ActionCall, canMail, type Env, mailSetupLink, openPath, text, UserError, wordsIn } from '@kontor/addon';
import { archive, archivedInvoice, documentPath, openDocument } from './archive.ts';
import { invoiceMails, invoiceValues, type reminderMails } from './invoice-texts.ts';
import { langOf, loadInvoice, type PrintedInvoice } from './load-invoice.ts';

const asks = letterAsks('invoice.invoice');
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
    return openDocument((await archivedInvoice(env, id)).id);
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
  const invoice = await loadInvoice(env, id);
  const { recipient, subject, body } = await letterFor(
    env,
    invoice,
    invoiceMails[invoice.type],
    answers.template_id ?? null,
  );
  return { value: { recipient, subject, body, ...notice } };
}

/** Said before somebody writes a letter that cannot be sent. */
function noMailNotice(env: Env): string {
  const { say } = wordsIn(env, env.actor.lang, 'invoice');
  return `<p>${say('No mail server is set up, so nothing can be sent. You can print the document.')} ${mailSetupLink(env)}</p>`;
}

async function sendInvoices({ env, records, answers }: Call): Promise<void> {
  checkRecipient(answers);
  for (const id of records.ids) {
    const invoice = await loadInvoice(env, id);
    if (invoice.state !== 'posted') throw new UserError('Post the invoice first.');
    const letter = withWritten(await letterFor(env, invoice, invoiceMails[invoice.type], answers.template_id), answers);
    await mailDocument(env, invoice, letter, 'invoice');
  }
}

/** Queues the mail with the invoice, keeps what is sent, and tells the discussion. */
export async function mailDocument(
  env: Env,
  invoice: PrintedInvoice,
  { recipient, ...said }: Letter,
  kind: 'invoice' | 'reminder',
): Promise<number> {
  const number = invoice.name ?? '';
  if (!recipient) {
    throw new UserError(text('Enter a recipient for {number}: the customer has no e-mail address.', { number }));
  }
  const letter = { ...said, recipient };
  const { name, pdf } = await archivedInvoice(env, invoice.id);
  const thread = { model: 'invoice.invoice', id: invoice.id, name: number, companyId: invoice.company_id.id };
  const sender = invoice.user_id?.email ?? null;
  const key = await queueLetter(env, thread, { letter, file: { name, pdf }, sender });
  if (key === null) throw new UserError('No mail server is set up. Print the document instead.');
  const { subject, body } = letter;
  const id = await archive(env, pdf, { invoice_id: invoice.id, kind, name, recipient, subject, body });
  await tellSent(env, thread, letter, { name, path: documentPath(id), key });
  return id;
}

/** A text in the customer's language, or a template instead of it. */
export function letterFor(
  env: Env,
  invoice: PrintedInvoice,
  definition: (typeof reminderMails)[number],
  template: number | null = null,
): Promise<Letter> {
  const recipient = invoice.address_id?.email ?? invoice.partner_id.email;
  const about = { model: 'invoice.invoice', id: invoice.id, companyId: invoice.company_id.id };
  return letterOf(env, { ...about, recipient, lang: langOf(invoice) }, definition, invoiceValues(invoice), template);
}
