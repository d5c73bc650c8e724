import { drawDocument, drawLines, drawNote, drawTotals, type Say } from '@addons/sale';
import {
  drawText,
  type Env,
  formatAmount,
  formatDate,
  formatNumber,
  type PortalDocument,
  renderText,
  type Sheet,
  text,
  wordsIn,
} from '@kontor/addon';
import { facturX } from '../electronic/factur-x.ts';
import { codePrint, correctionPrint, invoiceValues, paymentPrint, printTitles, taxPrints } from './invoice-texts.ts';
import { fileName, langOf, loadInvoice, type PrintedInvoice } from './load-invoice.ts';
import { paymentCode } from './payment-code.ts';

type DrawnInvoice = PortalDocument & { readonly invoice: PrintedInvoice };

/** An invoice or a credit note on paper, in the customer's language. */
export async function drawInvoice(env: Env, id: number): Promise<DrawnInvoice> {
  const invoice = await loadInvoice(env, id);
  const lang = langOf(invoice);
  const { say } = wordsIn(env, lang, 'invoice');
  const { currency_id: currency } = invoice;
  const number = invoice.name ?? say('Draft');
  const write = textWriter(env, invoice, number);
  const title = (await write(printTitles[invoice.type])).replaceAll(/\s+/g, ' ');
  const page = { ...pageOf(invoice, number), title, facts: factsOf(invoice, say), ...facturX(invoice) };
  const pdf = await drawDocument(env, page, async (sheet) => {
    const printed = { ...invoice, lang };
    await drawCorrection(sheet, invoice, write);
    // The parts of every document have the words of the quotation.
    await drawLines(sheet, printed, wordsIn(env, lang, 'sale').say);
    const taxes = invoice.taxes.map(({ name, base, amount }) => {
      const on = formatAmount(base, currency, lang);
      return { name: say(text('{tax} on {amount}', { tax: name, amount: on })), amount };
    });
    const whole = { name: say('Total'), amount: invoice.amount_total };
    drawTotals(sheet, [{ name: say('Untaxed'), amount: invoice.amount_untaxed }, ...taxes, whole], printed);
    const words = [homeTaxWords(invoice, say), await taxWords(invoice, write), await paymentWords(invoice, write)];
    await drawParagraphs(sheet, words.join('\n\n'));
    await drawCode(sheet, invoice, write);
    await drawNote(sheet, invoice.note);
  });
  return { invoice, name: `${fileName(number)}.pdf`, pdf };
}

/** What invoices and reminders have in common. */
export function pageOf(invoice: PrintedInvoice, number: string) {
  const address = invoice.address?.split('\n') ?? [invoice.partner_id.name];
  return { lang: langOf(invoice), company: invoice.company_id, address, number };
}

export async function drawParagraphs(sheet: Sheet, words: string): Promise<void> {
  for (const paragraph of words.split(/\n{2,}/).filter((each) => each !== '')) await drawText(sheet, paragraph);
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

type PrintedText = typeof paymentPrint | typeof correctionPrint | (typeof printTitles)['invoice'];
type Write = (printed: PrintedText) => Promise<string>;

/** The law asks for the tax in the currency of the country. */
function homeTaxWords(invoice: PrintedInvoice, say: Say): string {
  const { homeTax: home, currency_id: own } = invoice;
  if (home === null || home.amount.eq(0)) return '';
  const lang = langOf(invoice);
  const values = {
    currency: home.currency.name,
    amount: formatAmount(home.amount, home.currency, lang),
    own: own.name,
    rate: formatNumber(home.rate.round(6), lang),
  };
  return say(text('Tax in {currency}: {amount} (1 {own} = {rate} {currency})', values));
}

/** Writes the texts of the document in the customer's language, as the company has them. */
export function textWriter(env: Env, invoice: PrintedInvoice, number: string): Write {
  const reader = { lang: langOf(invoice), companyId: invoice.company_id.id };
  const values = { ...invoiceValues(invoice), number };
  return async (printed) => (await renderText(env, printed, reader, values)).body;
}

async function drawCorrection(sheet: Sheet, { reversed_id: corrected, reason }: PrintedInvoice, write: Write) {
  if (corrected === null) return;
  sheet.write(await write(correctionPrint));
  if (reason) await drawText(sheet, reason, { colour: 'muted' });
  sheet.down(14);
}

/** Why no tax is charged: the words of the tax position, otherwise those of the treatment. */
async function taxWords({ tax_treatment: treatment, tax_note: note }: PrintedInvoice, write: Write): Promise<string> {
  if (treatment === 'normal' || treatment === null) return '';
  return note || write(taxPrints[treatment]);
}

async function paymentWords(invoice: PrintedInvoice, write: Write): Promise<string> {
  return invoice.type === 'credit' || invoice.due_date === null ? '' : write(paymentPrint);
}

const codeSize = 84;

/** The payment code, if there is one. */
export async function drawCode(sheet: Sheet, invoice: PrintedInvoice, write: Write): Promise<void> {
  const code = paymentCode(invoice);
  if (code === null) return;
  sheet.makeRoom(codeSize + 20);
  sheet.down(6);
  sheet.qrCode(code, { x: sheet.left, width: codeSize, height: codeSize });
  sheet.down(codeSize / 2 - 6);
  const style = { size: 8, colour: 'muted', width: sheet.width - codeSize - 12 } as const;
  sheet.text(await write(codePrint), sheet.left + codeSize + 12, style);
  sheet.down(codeSize / 2 + 16);
}
