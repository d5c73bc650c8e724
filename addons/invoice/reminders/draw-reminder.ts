import { drawDocument, type Letter } from '@addons/sale';
import { dateIn, type Env, formatAmount, formatDate, wordsIn } from '@kontor/addon';
import { drawCode, drawParagraphs, pageOf, textWriter } from '../document/draw-invoice.ts';
import { langOf, type PrintedInvoice } from '../document/load-invoice.ts';

/** A reminder on paper, with the words of the e-mail, for customers who have no e-mail address. */
export function drawReminder(env: Env, invoice: PrintedInvoice, { subject: title, body }: Letter): Promise<Buffer> {
  const lang = langOf(invoice);
  const { currency_id: currency, amount_residual: due } = invoice;
  const { say } = wordsIn(env, lang, 'invoice');
  const number = invoice.name ?? '';
  const facts = [
    [wordsIn(env, lang, 'sale').say('Date'), formatDate(dateIn(env.actor.tz, env.now), lang)],
    [say('Invoice'), number],
    [say('Due date'), formatDate(invoice.due_date, lang)],
    [say('Amount due'), formatAmount(due, currency, lang)],
  ] as const;
  return drawDocument(env, { ...pageOf(invoice, number), title, facts }, async (sheet) => {
    await drawParagraphs(sheet, body);
    const owed = { ...invoice, amount_total: due };
    await drawCode(sheet, owed, textWriter(env, owed, number));
  });
}
