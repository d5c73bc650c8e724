import { drawAddress, drawCompany, drawFacts, drawSender } from '@addons/sale';
import { dateIn, drawText, type Env, formatAmount, formatDate, openSheet, wordsIn } from '@kontor/addon';
import { drawCode, textWriter } from '../document/draw-invoice.ts';
import { langOf, type PrintedInvoice } from '../document/load-invoice.ts';

interface Words {
  readonly subject: string;
  readonly body: string;
}

/** A reminder on paper, with the words of the e-mail, for customers who have no e-mail address. */
export async function drawReminder(env: Env, invoice: PrintedInvoice, { subject, body }: Words): Promise<Buffer> {
  const lang = langOf(invoice);
  const { company_id: company, currency_id: currency, amount_residual: due } = invoice;
  const { say } = wordsIn(env, lang, 'invoice');
  const { say: sayLine } = wordsIn(env, lang, 'sale');
  const author = company.name;
  const sheet = await openSheet(env, { title: subject, author, lang, fontsParameter: 'sale.report_fonts' });
  drawSender(sheet, company, lang);
  drawAddress(sheet, invoice.address?.split('\n') ?? [invoice.partner_id.name]);
  sheet.write(subject, { size: 17, bold: true });
  drawFacts(sheet, [
    [sayLine('Date'), formatDate(dateIn(env.actor.tz, env.now), lang)],
    [say('Invoice'), invoice.name],
    [say('Due date'), formatDate(invoice.due_date, lang)],
    [say('Amount due'), formatAmount(due, currency, lang)],
  ]);
  for (const paragraph of body.split(/\n{2,}/)) await drawText(sheet, paragraph);
  const owed = { ...invoice, amount_total: due };
  await drawCode(sheet, owed, textWriter(env, owed, invoice.name ?? ''));
  drawCompany(sheet, company, sayLine);
  return sheet.close(`${author}  ·  ${invoice.name ?? ''}`);
}
