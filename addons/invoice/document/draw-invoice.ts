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
  formatNumber,
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
  drawCorrection(sheet, invoice, say);
  await drawLines(sheet, printed, sayLine);
  const taxes = invoice.taxes.map(({ name, base, amount }) => {
    const on = formatAmount(base, currency, lang);
    return { name: say(text('{tax} on {amount}', { tax: name, amount: on })), amount };
  });
  const whole = { name: say('Total'), amount: invoice.amount_total };
  drawTotals(sheet, [{ name: say('Untaxed'), amount: invoice.amount_untaxed }, ...taxes, whole], printed);
  for (const words of [
    ...homeTaxWords(invoice, say),
    ...taxWords(invoice, say),
    ...(await paymentWords(env, invoice, number)),
  ]) {
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

function drawCorrection(sheet: Sheet, invoice: PrintedInvoice, say: Say): void {
  const { reversed_id: corrected, reason } = invoice;
  if (corrected === null) return;
  const date = formatDate(corrected.invoice_date, langOf(invoice));
  sheet.write(say(text('Corrects invoice {number} of {date}.', { number: corrected.name ?? '', date })));
  if (reason) sheet.write(reason, { colour: 'muted' });
  sheet.y += 14;
}

/** The law asks for the tax in the currency of the country. */
function homeTaxWords(invoice: PrintedInvoice, say: Say): string[] {
  const { homeTax: home, currency_id: own } = invoice;
  if (home === null || home.amount.eq(0)) return [];
  const lang = langOf(invoice);
  const values = {
    currency: home.currency.name,
    amount: formatAmount(home.amount, home.currency, lang),
    own: own.name,
    rate: formatNumber(home.rate.round(6), lang),
  };
  return [say(text('Tax in {currency}: {amount} (1 {own} = {rate} {currency})', values))];
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

/** The payment code, if there is one. */
export function drawCode(sheet: Sheet, invoice: PrintedInvoice, say: Say): void {
  const code = paymentCode(invoice);
  if (code === null) return;
  sheet.makeRoom(codeSize + 20);
  sheet.y += 6;
  sheet.qrCode(code, { x: sheet.left, y: sheet.y, width: codeSize, height: codeSize });
  const top = sheet.y;
  sheet.y += codeSize / 2 - 6;
  sheet.text(say('Scan to pay with your banking app.'), sheet.left + codeSize + 12, { size: 8, colour: 'muted' });
  sheet.y = top + codeSize + 10;
}
