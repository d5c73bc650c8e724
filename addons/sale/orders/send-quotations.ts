import { addMessage } from '@addons/mail';
import {
  type ActionCall,
  composeMail,
  type Env,
  fields,
  queueMail,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { drawQuotation } from '../quotation/draw-quotation.ts';
import { loadQuotation, pdfName } from '../quotation/load-quotation.ts';
import { type Letter, letterPaths, quotationLetter } from './quotation-letter.ts';

const asks = {
  recipient: fields.char({ label: 'To', size: 320 }),
  subject: fields.char({ size: 200 }),
  body: fields.text({ label: 'Message' }),
  file_name: fields.char({ label: 'Attached', readonly: true }),
};
type Call = ActionCall<'sale.order', typeof asks>;

/** Mails each quotation to its customer, in the usual words unless somebody gives others. It cannot be taken back. */
export const sending = {
  icon: 'send',
  needs: ['has_lines'],
  asks,
  proposes: proposeLetter,
  run: sendQuotations,
  undo: false,
} as const;

/** Of several orders each has a letter of its own. */
async function proposeLetter({ records }: Pick<Call, 'env' | 'records'>) {
  const [order, ...others] = await records.load(...letterPaths);
  if (order === undefined || others.length > 0) return {};
  return { value: { ...quotationLetter(order), file_name: pdfName(order.name) } };
}

async function sendQuotations({ env, records, answers }: Call): Promise<void> {
  const { recipient, subject, body } = answers;
  if (recipient !== null && !/^[^\s@<>,]+@[^\s@<>,]+$/.test(recipient)) {
    throw new ValidationError({ recipient: ['This is no e-mail address.'] });
  }
  const said = { ...(recipient && { recipient }), ...(subject && { subject }), ...(body && { body }) };
  const isQueued = await mailQuotations(env, records.ids, said);
  // Who names a recipient wants a mail; without one the order is sent by other ways where mail is not set up.
  if (!isQueued && recipient !== null) {
    throw new UserError('No mail server is set up. Print the quotation, and mark it as sent.');
  }
}

/** Those without an address are left out. False where mail is not set up. */
async function mailQuotations(env: Env, ids: readonly number[], said: Partial<Letter>): Promise<boolean> {
  const orders = await env.model('sale.order').load(ids, [...letterPaths, 'company_id.id']);
  let isQueued = false;
  for (const order of orders) {
    const { recipient, subject, body } = { ...quotationLetter(order), ...said };
    if (!recipient) continue;
    const pdf = await drawQuotation(await loadQuotation(env, order.id));
    const mail = composeMail({
      to: recipient,
      words: wordsIn(env, order.partner_id.lang ?? 'en_US', 'sale'),
      subject,
      paragraphs: body.split(/\n{2,}/),
      ...(order.user_id?.email ? { replyTo: order.user_id.email } : {}),
      attachments: [{ filename: pdfName(order.name), contentType: 'application/pdf', content: pdf }],
    });
    isQueued = await queueMail(env, mail);
    if (!isQueued) return false;
    const thread = { model: 'sale.order', id: order.id, name: order.name, companyId: order.company_id.id };
    const told = `<p>${toHtml(recipient)} ← ${toHtml(subject)} (${pdfName(order.name)})</p>`;
    await addMessage(env, thread, 'system', told);
  }
  return isQueued;
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
