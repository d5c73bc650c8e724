import { currentSignature } from '@addons/portal';
import { type Env, formatDate, openSheet, renderText, type Sheet, text, wordsIn } from '@kontor/addon';
import {
  countryOf,
  drawAddress,
  drawCompany,
  drawFacts,
  drawLines,
  drawNote,
  drawSender,
  drawTotals,
  type Say,
  townOf,
} from '../document/draw-document.ts';
import {
  acceptedPrint,
  letterValues,
  loadLetter,
  orderTitle,
  quotationPrint,
  quotationTitle,
} from '../orders/letter-texts.ts';
import { type Version, versionName, versionOf } from '../orders/sent-versions.ts';
import { loadQuotation, pdfName, type Quotation } from './load-quotation.ts';

export interface DrawnQuotation {
  readonly order: Quotation;
  readonly version: Version;
  /** Of the file. */
  readonly name: string;
  readonly pdf: Buffer;
}

/** A quotation or an order on paper, in the customer's language. */
export async function drawQuotation(env: Env, id: number): Promise<DrawnQuotation> {
  const order = await loadQuotation(env, id);
  const version = await versionOf(env, order);
  const { lang } = order.partner_id;
  const { say } = wordsIn(env, lang ?? 'en_US', 'sale');
  const reader = { lang, companyId: order.company_id.id };
  const values = letterValues(await loadLetter(env, id));
  const heading = await renderText(env, order.state === 'sale' ? orderTitle : quotationTitle, reader, values);
  const title = [
    heading.body.replaceAll(/\s+/g, ' '),
    order.state === 'cancel' ? ` (${say('Cancelled')})` : '',
    version.number === 1 ? '' : `, ${say(text('version {number}', { number: version.number }))}`,
  ].join('');
  const author = order.company_id.name;
  const sheet = await openSheet(env, { title, author, lang, fontsParameter: 'sale.report_fonts' });
  const printed = { ...order, lang };
  drawSender(sheet, order.company_id, lang);
  drawAddress(sheet, addressOf(order));
  sheet.write(title, { size: 17, bold: true });
  drawFacts(sheet, factsOf(order, say));
  await drawLines(sheet, printed, say);
  const whole = { name: say('Total'), amount: order.amount_total };
  drawTotals(sheet, [{ name: say('Untaxed'), amount: order.amount_untaxed }, ...order.taxes, whole], printed);
  await drawNote(sheet, order.note);
  const { body } = await renderText(env, quotationPrint, reader, values);
  await drawNote(sheet, body || null);
  const signature = await currentSignature(env, { model: 'sale.order', id });
  if (signature) {
    const accepted = { name: signature.name, date: signature.signed_at };
    drawSignature(sheet, signature, (await renderText(env, acceptedPrint, reader, accepted)).body);
  }
  drawCompany(sheet, order.company_id, say);
  const pdf = await sheet.close(`${author}  ·  ${order.name}`);
  return { order, version, name: versionName(pdfName(order.name), version.number), pdf };
}

/** Who accepted it, when, and the number by which what was signed is recognised. */
function drawSignature(
  sheet: Sheet,
  signature: NonNullable<Awaited<ReturnType<typeof currentSignature>>>,
  accepted: string,
): void {
  sheet.makeRoom(110);
  sheet.down(12);
  sheet.image(signature.picture, { x: sheet.left, width: 180, height: 56 });
  sheet.down(62);
  sheet.write(accepted, { bold: true });
  sheet.write(`SHA-256 ${signature.sha256}`, { size: 7, colour: 'muted' });
}

function addressOf({ partner_id: partner }: Quotation) {
  const firm = partner.parent_id?.name;
  return [firm, partner.name, partner.street, partner.street2, townOf(partner), countryOf(partner, partner.lang)];
}

/** Where it is delivered, if that is not the customer's own address. */
export function deliveryOf({ delivery_id: place, partner_id: { lang } }: Quotation): string | null {
  if (place === null) return null;
  return [place.name, place.street, place.street2, townOf(place), countryOf(place, lang)].filter(Boolean).join('\n');
}

function factsOf(order: Quotation, say: Say) {
  const { lang } = order.partner_id;
  const { payment_days: days } = order;
  return [
    [say('Date'), formatDate(order.date_order, lang)],
    [say('Valid until'), order.state === 'sale' ? null : formatDate(order.validity_date, lang)],
    [say('Your reference'), order.client_reference],
    [say('Delivery address'), deliveryOf(order)],
    [say('Your contact'), order.user_id?.name],
    [say('Payment'), days === null ? null : say(text('within {days} days', { days }))],
  ] as const;
}
