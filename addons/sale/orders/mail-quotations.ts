import { addMessage } from '@addons/mail';
import { composeMail, type Env, queueMail, wordsIn } from '@kontor/addon';
import { drawQuotation } from '../quotation/draw-quotation.ts';
import { loadQuotation, pdfName } from '../quotation/load-quotation.ts';
import { type Letter, letterPaths, quotationLetter } from './quotation-letter.ts';

/**
 * Mails each quotation to its customer with the PDF attached, and says so in its discussion. Those without an address are
 * left out. False where mail is not set up.
 */
export async function mailQuotations(env: Env, ids: readonly number[], said: Partial<Letter> = {}): Promise<boolean> {
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
    await addMessage(
      env,
      thread,
      'system',
      `<p>${toHtml(recipient)} ← ${toHtml(subject)} (${pdfName(order.name)})</p>`,
    );
  }
  return isQueued;
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
