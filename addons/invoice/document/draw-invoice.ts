import {
  drawAddress,
  drawCompany,
  drawFacts,
  drawLines,
  drawNote,
  drawSender,
  drawTotals,
  type Say,
} from '@addons/sale';
import {
  drawText,
  type Env,
  formatAmount,
  formatDate,
  openSheet,
  renderText,
  type Sheet,
  text,
  wordsIn,
} from '@kontor/addon';
import { facturX } from '../electronic/factur-x.ts';
import { invoiceValues, paymentPrint } from './invoice-texts.ts';
import { langOf, loadInvoice, type PrintedInvoice } from './load-invoice.ts';
import { paymentCode } from './payment-code.ts';

export interface DrawnInvoice {
  readonly invoice: PrintedInvoice;
  /** Of the file. */
  readonly name: string;
  readonly pdf: Buffer;
}

/** An invoice or a credit note on paper, in the customer's language. */
export async function drawInvoice(env: Env, id: number): Promise<DrawnInvoice> {
  const invoice = await loadInvoice(env, id);
  const lang = langOf(invoice);
  const { say } = wordsIn(env, lang, 'invoice');
  // The parts of every document have the words of the quotation.
  const { say: sayLine } = wordsIn(env, lang, 'sale');
  const { company_id: company, currency_id: currency } = invoice;
  const number = invoice.name ?? say('Draft');
  const title = `${invoice.type === 'credit' ? say('Credit note') : say('Invoice')} ${number}`;
  const sheet = await openSheet(env, {
    ...{ title, author: company.name, lang, fontsParameter: 'sale.report_fonts' },
    ...facturX(invoice),
  });
  const printed = { ...invoice, lang };
  drawSender(sheet, company, lang);
  drawAddress(sheet, invoice.address?.split('\n') ?? [invoice.partner_id.name]);
  sheet.write(title, { size: 17, bold: true });
  drawFacts(sheet, factsOf(invoice, say));
  await drawCorrection(sheet, invoice, say);
  await drawLines(sheet, printed, sayLine);
  const taxes = invoice.taxes.map(({ name, base, amount }) => {
    const on = formatAmount(base, currency, lang);
    return { name: say(text('{tax} on {amount}', { tax: name, amount: on })), amount };
  });
  const whole = { name: say('Total'), amount: invoice.amount_total };
  drawTotals(sheet, [{ name: say('Untaxed'), amount: invoice.amount_untaxed }, ...taxes, whole], printed);
  for (const words of [...taxWords(invoice, say), ...(await paymentWords(env, invoice, number))]) {
    await drawText(sheet, words);
  }
  drawCode(sheet, invoice, say);
  await drawNote(sheet, invoice.note);
  drawCompany(sheet, company, sayLine);
  const pdf = await sheet.close(`${company.name}  ·  ${number}`);
  return { invoice, name: `${number.replaceAll(/[^\p{L}\p{N}.-]+/gu, '_')}.pdf`, pdf };
}

function factsOf(invoice: PrintedInvoice, say: Say) {
  const lang = langOf(invoice);
  const { delivery_date: from, delivery_end: until } = invoice;
  const delivered = [from, until].filter((day) => day !== null).map((day) => formatDate(day, lang));
  return [
    [say('Invoice date'), formatDate(invoice.invoice_date, lang)],
    [say('Delivered on'), delivered.join(' – ')],
    [say('Due date'), invoice.type === 'credit' ? null : formatDate(invoice.due_date, lang)],
    [say("Customer's reference"), invoice.client_reference],
    [say('Your tax id'), invoice.vat],
  ] as const;
}

async function drawCorrection(sheet: Sheet, invoice: PrintedInvoice, say: Say): Promise<void> {
  const { reversed_id: corrected, reason } = invoice;
  if (corrected === null) return;
  const date = formatDate(corrected.invoice_date, langOf(invoice));
  sheet.write(say(text('Corrects invoice {number} of {date}.', { number: corrected.name ?? '', date })));
  if (reason) await drawText(sheet, reason, { colour: 'muted' });
  sheet.down(14);
}

/** Why no tax is charged. */
function taxWords({ tax_treatment: treatment, tax_note: note }: PrintedInvoice, say: Say): string[] {
  if (treatment !== 'normal' && note) return [note];
  switch (treatment) {
    case 'reverse':
      return [say('Reverse charge: the recipient is liable for the tax.')];
    case 'export':
      return [say('Not taxable: supply to a customer outside the tax area.')];
    case 'exempt':
      return [say('Exempt from tax.')];
    default:
      return [];
  }
}

async function paymentWords(env: Env, invoice: PrintedInvoice, number: string): Promise<readonly string[]> {
  if (invoice.type === 'credit' || invoice.due_date === null) return [];
  const reader = { lang: langOf(invoice), companyId: invoice.company_id.id };
  const { body, paragraphs } = await renderText(env, paymentPrint, reader, { ...invoiceValues(invoice), number });
  return body === '' ? [] : paragraphs;
}

const codeSize = 84;

function drawCode(sheet: Sheet, invoice: PrintedInvoice, say: Say): void {
  const code = paymentCode(invoice);
  if (code === null) return;
  sheet.makeRoom(codeSize + 20);
  sheet.down(6);
  sheet.qrCode(code, { x: sheet.left, width: codeSize, height: codeSize });
  sheet.down(codeSize / 2 - 6);
  sheet.text(say('Scan to pay with your banking app.'), sheet.left + codeSize + 12, { size: 8, colour: 'muted' });
  sheet.down(codeSize / 2 + 16);
}
