import {
  drawTable,
  type Env,
  formatAmount,
  formatDate,
  formatNumber,
  openSheet,
  type Sheet,
  text,
  wordsIn,
} from '@kontor/addon';
import { loadQuotation, pdfName, type Quotation } from './load-quotation.ts';

type Say = ReturnType<typeof wordsIn>['say'];

/** A quotation or an order on paper, in the customer's language. */
export async function drawQuotation(env: Env, id: number): Promise<{ readonly name: string; readonly pdf: Buffer }> {
  const order = await loadQuotation(env, id);
  const { lang } = order.partner_id;
  const { say } = wordsIn(env, lang ?? 'en_US', 'sale');
  const title = `${headingOf(order, say)} ${order.name}`;
  const author = order.company_id.name;
  const sheet = await openSheet(env, { title, author, lang, fontsParameter: 'sale.report_fonts' });
  drawSender(sheet, order, say);
  drawAddress(sheet, order);
  sheet.write(title, { size: 17, bold: true });
  drawFacts(sheet, order, say);
  drawLines(sheet, order, say);
  drawTotals(sheet, order, say);
  drawNote(sheet, order);
  return { name: pdfName(order.name), pdf: await sheet.close(`${author}  ·  ${order.name}`) };
}

function headingOf({ state }: Quotation, say: Say): string {
  if (state === 'cancel') return `${say('Quotation')} (${say('Cancelled')})`;
  return state === 'sale' ? say('Order') : say('Quotation');
}

function drawSender(sheet: Sheet, { company_id: company }: Quotation, say: Say): void {
  const logo = { x: sheet.right - 120, y: 44, width: 120, height: 52, align: 'right' } as const;
  if (company.logo) sheet.image(company.logo, logo);
  const width = sheet.width - 130;
  sheet.write(company.name, { size: 15, bold: true, colour: 'accent', width });
  const vat = company.vat ? `${say('Tax id')} ${company.vat}` : null;
  const contact = [company.phone, company.email, company.website, vat].filter(Boolean).join('  ·  ');
  if (contact) sheet.text(contact, sheet.left, { size: 8, colour: 'muted', width });
  sheet.y = Math.max(sheet.y + 44, 120);
}

function drawAddress(sheet: Sheet, { partner_id: partner }: Quotation): void {
  const town = [partner.zip, partner.city].filter(Boolean).join(' ');
  const firm = partner.parent_id?.name;
  const rows = [firm, partner.name, partner.street, partner.street2, town, partner.country_id?.name];
  for (const [index, row] of rows.filter((each) => each).entries()) {
    sheet.write(row ?? '', { bold: index === 0, size: 10.5, width: 260 });
  }
  sheet.y += 28;
}

function drawFacts(sheet: Sheet, order: Quotation, say: Say): void {
  const { lang } = order.partner_id;
  const { payment_days: days } = order;
  const facts: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [say('Date'), formatDate(order.date_order, lang)],
    [say('Valid until'), order.state === 'sale' ? null : formatDate(order.validity_date, lang)],
    [say('Your reference'), order.client_reference],
    [say('Your contact'), order.user_id?.name],
    [say('Payment'), days === null ? null : say(text('within {days} days', { days }))],
  ];
  const shown = facts.filter(([, value]) => value);
  const width = sheet.width / Math.max(1, shown.length);
  const top = sheet.y + 8;
  let lowest = top;
  for (const [index, [label, value]] of shown.entries()) {
    const x = sheet.left + index * width;
    sheet.y = top;
    sheet.text(label, x, { size: 8, colour: 'muted', width: width - 8 });
    sheet.y += 13;
    sheet.text(value ?? '', x, { width: width - 8 });
    lowest = Math.max(lowest, sheet.y + sheet.heightOf(value ?? '', { width: width - 8 }));
  }
  sheet.y = lowest + 22;
}

function drawLines(sheet: Sheet, order: Quotation, say: Say): void {
  const { lang } = order.partner_id;
  const hasDiscount = order.line_ids.some((line) => !line.discount.eq(0));
  const right = (label: string, width: number) => ({ label, width, align: 'right' }) as const;
  const columns = [
    right(say('Quantity'), 62),
    right(say('Unit price'), 76),
    ...(hasDiscount ? [right(say('Disc.'), 42)] : []),
    right(say('Amount'), 82),
  ];
  const rows = order.line_ids.map((line) => [
    line.name,
    [formatNumber(line.quantity, lang), line.uom_id?.name].filter(Boolean).join(' '),
    formatAmount(line.price_unit, currencyFor(line.price_unit, order), lang),
    ...(hasDiscount ? [line.discount.eq(0) ? '' : `${formatNumber(line.discount, lang)} %`] : []),
    formatAmount(line.price_subtotal, order.currency_id, lang),
  ]);
  drawTable(sheet, say('Description'), columns, rows);
}

/** Prices of small units may have more decimals than the currency, and must not look rounded. */
function currencyFor(price: Quotation['amount_total'], { currency_id: currency }: Quotation) {
  const places = price.toFixed().split('.')[1]?.length ?? 0;
  return currency && { ...currency, decimal_places: Math.max(places, currency.decimal_places) };
}

function drawTotals(sheet: Sheet, order: Quotation, say: Say): void {
  const rows = [
    { name: say('Untaxed'), amount: order.amount_untaxed, style: {} },
    ...order.taxes.map((tax) => ({ ...tax, style: {} })),
    { name: say('Total'), amount: order.amount_total, style: { bold: true, size: 12 } },
  ];
  sheet.makeRoom(rows.length * 18 + 20);
  sheet.y += 10;
  const x = sheet.right - 260;
  for (const { name, amount, style } of rows) {
    sheet.text(name, x, { ...style, width: 150 });
    const shown = formatAmount(amount, order.currency_id, order.partner_id.lang);
    sheet.text(shown, x + 150, { ...style, width: 110, align: 'right' });
    sheet.y += sheet.heightOf(name, { ...style, width: 150 }) + 4;
  }
  sheet.y += 14;
}

/** Paragraph by paragraph, so that long terms run on over pages. */
function drawNote(sheet: Sheet, { note }: Quotation): void {
  for (const paragraph of note?.split(/\n+/) ?? []) {
    sheet.write(paragraph, { size: 9, colour: 'muted' });
    sheet.y += 4;
  }
}
