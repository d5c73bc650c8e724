import { currentSignature } from '@addons/portal';
import { type Env, formatDate, renderText, type Sheet, text, wordsIn } from '@kontor/addon';
import { addressLines, placeLines } from '../document/address-lines.ts';
import { drawDocument, drawLines, drawNote, drawTotals, type Say } from '../document/draw-document.ts';
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
  const signature = await currentSignature(env, { model: 'sale.order', id });
  const page = {
    ...{ title, lang, company: order.company_id, number: order.name },
    ...{ address: addressLines(order.partner_id).split('\n'), facts: factsOf(order, say) },
  };
  const pdf = await drawDocument(env, page, async (sheet) => {
    const printed = { ...order, lang };
    await drawLines(sheet, printed, say);
    const whole = { name: say('Total'), amount: order.amount_total };
    drawTotals(sheet, [{ name: say('Untaxed'), amount: order.amount_untaxed }, ...order.taxes, whole], printed);
    await drawNote(sheet, order.note);
    const { body } = await renderText(env, quotationPrint, reader, values);
    await drawNote(sheet, body || null);
    if (!signature) return;
    const accepted = { name: signature.name, date: signature.signed_at };
    drawSignature(sheet, signature, (await renderText(env, acceptedPrint, reader, accepted)).body);
  });
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

/** Where it is delivered, if that is not the customer's own address. */
export function deliveryOf({ delivery_id: place, partner_id: { lang } }: Quotation): string | null {
  return place && placeLines(place, lang);
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
