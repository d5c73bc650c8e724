import { drawTable, fitColumns } from './draw-table.ts';
import { formatAmount, formatDate, formatQuantity } from './format.ts';
import type { Quotation } from './load-quotation.ts';
import { closeSheet, colours, openSheet, type Sheet } from './sheet.ts';
import { type Words, wordsFor } from './words.ts';

/** A quotation or an order on paper, in the customer's language. */
export async function drawQuotation(order: Quotation): Promise<Buffer> {
  const words = wordsFor(order.partner_id.lang);
  const sheet = openSheet({
    title: `${headingOf(order, words)} ${order.name}`,
    author: order.company_id.name,
    fonts: order.fonts,
  });
  drawSender(sheet, order, words);
  drawAddress(sheet, order);
  drawFacts(sheet, order, words);
  drawLines(sheet, order, words);
  drawTotals(sheet, order, words);
  drawNote(sheet, order.note);
  drawFooters(sheet, order, words);
  return closeSheet(sheet);
}

function headingOf({ state }: Quotation, words: Words): string {
  if (state === 'cancel') return `${words.quotation} (${words.cancelled})`;
  return state === 'sale' ? words.order : words.quotation;
}

function drawSender(sheet: Sheet, { company_id: company }: Quotation, words: Words): void {
  const { doc } = sheet;
  if (company.logo) drawLogo(doc, company.logo);
  sheet.text(company.name, sheet.left, { size: 15, bold: true, colour: colours.accent, width: sheet.width - 130 });
  sheet.y += sheet.heightOf(company.name, { size: 15, bold: true, width: sheet.width - 130 });
  const vat = company.vat ? `${words.vat} ${company.vat}` : null;
  const contact = [company.phone, company.email, company.website, vat].filter(Boolean).join('  ·  ');
  if (contact) sheet.text(contact, sheet.left, { size: 8, colour: colours.muted, width: sheet.width - 130 });
  sheet.y = Math.max(sheet.y + 44, 120);
}

/** A picture that cannot be drawn (WebP, GIF) leaves its place empty; the quotation is still one. */
function drawLogo(doc: PDFKit.PDFDocument, logo: string): void {
  try {
    doc.image(Buffer.from(logo, 'base64'), doc.page.width - 170, 44, { fit: [120, 52], align: 'right' });
  } catch {
    return;
  }
}

function drawAddress(sheet: Sheet, { partner_id: partner }: Quotation): void {
  const town = [partner.zip, partner.city].filter(Boolean).join(' ');
  const firm = partner.parent_id?.name;
  const rows = [firm, partner.name, partner.street, partner.street2, town, partner.country_id?.name];
  for (const [index, row] of rows.filter((each) => each).entries()) {
    const style = { bold: index === 0, size: 10.5, width: 260 };
    sheet.text(row ?? '', sheet.left, style);
    sheet.y += sheet.heightOf(row ?? '', style);
  }
  sheet.y += 28;
}

function drawFacts(sheet: Sheet, order: Quotation, words: Words): void {
  const { lang } = order.partner_id;
  const title = `${headingOf(order, words)} ${order.name}`;
  sheet.text(title, sheet.left, { size: 17, bold: true, width: sheet.width });
  sheet.y += sheet.heightOf(title, { size: 17, bold: true, width: sheet.width }) + 8;
  const facts: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [words.date, formatDate(order.date_order, lang)],
    [words.valid, order.state === 'sale' ? null : formatDate(order.validity_date, lang)],
    [words.reference, order.client_reference],
    [words.contact, order.user_id?.name],
    [words.payment, order.payment_days === null ? null : words.days(order.payment_days)],
  ];
  const shown = facts.filter(([, value]) => value);
  const width = sheet.width / Math.max(1, shown.length);
  const top = sheet.y;
  let lowest = top;
  for (const [index, [label, value]] of shown.entries()) {
    const x = sheet.left + index * width;
    sheet.y = top;
    sheet.text(label, x, { size: 8, colour: colours.muted, width: width - 8 });
    sheet.y += 13;
    sheet.text(value ?? '', x, { width: width - 8 });
    lowest = Math.max(lowest, sheet.y + sheet.heightOf(value ?? '', { width: width - 8 }));
  }
  sheet.y = lowest + 22;
}

function drawLines(sheet: Sheet, order: Quotation, words: Words): void {
  const { lang } = order.partner_id;
  const hasDiscount = order.line_ids.some((line) => !line.discount.eq(0));
  const columns = [
    { label: words.description, width: 0 },
    { label: words.quantity, width: 62, align: 'right' as const },
    { label: words.price, width: 76, align: 'right' as const },
    ...(hasDiscount ? [{ label: words.discount, width: 42, align: 'right' as const }] : []),
    { label: words.amount, width: 82, align: 'right' as const },
  ];
  const rows = order.line_ids.map((line) => [
    line.name,
    [formatQuantity(line.quantity, lang), line.uom_id?.name].filter(Boolean).join(' '),
    formatAmount(line.price_unit, currencyFor(line.price_unit, order), lang),
    ...(hasDiscount ? [line.discount.eq(0) ? '' : `${formatQuantity(line.discount, lang)} %`] : []),
    formatAmount(line.price_subtotal, order.currency_id, lang),
  ]);
  drawTable(sheet, fitColumns(sheet.width, columns), rows);
}

/** Prices of small units may have more decimals than the currency, and must not look rounded. */
function currencyFor(price: Quotation['amount_total'], { currency_id: currency }: Quotation) {
  const places = price.toFixed().split('.')[1]?.length ?? 0;
  return currency && { ...currency, decimal_places: Math.max(places, currency.decimal_places) };
}

function drawTotals(sheet: Sheet, order: Quotation, words: Words): void {
  const { lang } = order.partner_id;
  const rows = [
    { label: words.untaxed, amount: order.amount_untaxed, isLast: false },
    ...order.taxes.map((tax) => ({ label: tax.name, amount: tax.amount, isLast: false })),
    { label: words.total, amount: order.amount_total, isLast: true },
  ];
  if (sheet.y + rows.length * 18 + 20 > sheet.bottom) sheet.newPage();
  sheet.y += 10;
  const x = sheet.left + sheet.width - 260;
  for (const { label, amount, isLast } of rows) {
    const style = isLast ? { bold: true, size: 12 } : {};
    sheet.text(label, x, { ...style, width: 150 });
    const shown = formatAmount(amount, order.currency_id, lang);
    sheet.text(shown, x + 150, { ...style, width: 110, align: 'right' });
    sheet.y += sheet.heightOf(label, { ...style, width: 150 }) + 4;
  }
  sheet.y += 14;
}

/** Paragraph by paragraph, so that long terms run on over pages. */
function drawNote(sheet: Sheet, note: string | null): void {
  for (const paragraph of note?.split(/\n+/) ?? []) {
    const height = sheet.heightOf(paragraph, { size: 9, width: sheet.width });
    if (sheet.y + height > sheet.bottom) sheet.newPage();
    sheet.text(paragraph, sheet.left, { size: 9, colour: colours.muted, width: sheet.width });
    sheet.y += height + 4;
  }
}

function drawFooters(sheet: Sheet, order: Quotation, words: Words): void {
  const { start, count } = sheet.doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    sheet.doc.switchToPage(start + page);
    // Below the margin the library would begin a page of its own.
    sheet.doc.page.margins.bottom = 0;
    sheet.y = sheet.bottom + 24;
    sheet.rule();
    sheet.y += 6;
    sheet.text(`${order.company_id.name}  ·  ${order.name}`, sheet.left, { size: 8, colour: colours.muted });
    const shown = words.page(page + 1, count);
    sheet.text(shown, sheet.left, { size: 8, colour: colours.muted, width: sheet.width, align: 'right' });
  }
}
