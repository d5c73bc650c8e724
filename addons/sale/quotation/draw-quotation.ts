import {
  drawTable,
  type Env,
  formatAmount,
  formatDate,
  formatNumber,
  openSheet,
  type Sheet,
  sum,
  text,
  wordsIn,
} from '@kontor/addon';
import { type Version, versionName, versionOf } from '../orders/sent-versions.ts';
import { loadQuotation, pdfName, type Quotation } from './load-quotation.ts';

type Say = ReturnType<typeof wordsIn>['say'];

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
  const title = `${headingOf(order, say)} ${order.name}${version.number === 1 ? '' : `, ${say(text('version {number}', { number: version.number }))}`}`;
  const author = order.company_id.name;
  const sheet = await openSheet(env, { title, author, lang, fontsParameter: 'sale.report_fonts' });
  drawSender(sheet, order);
  drawAddress(sheet, order);
  sheet.write(title, { size: 17, bold: true });
  drawFacts(sheet, order, say);
  await drawLines(sheet, order, say);
  drawTotals(sheet, order, say);
  drawNote(sheet, order);
  drawCompany(sheet, order, say);
  const pdf = await sheet.close(`${author}  ·  ${order.name}`);
  return { order, version, name: versionName(pdfName(order.name), version.number), pdf };
}

function headingOf({ state }: Quotation, say: Say): string {
  if (state === 'cancel') return `${say('Quotation')} (${say('Cancelled')})`;
  return state === 'sale' ? say('Order confirmation') : say('Quotation');
}

function drawSender(sheet: Sheet, order: Quotation): void {
  const { company_id: company } = order;
  const logo = { x: sheet.right - 120, y: 44, width: 120, height: 52, align: 'right' } as const;
  if (company.logo) sheet.image(company.logo, logo);
  const width = sheet.width - 130;
  sheet.write(company.name, { size: 15, bold: true, colour: 'accent', width });
  const place = [company.street, company.street2, townOf(company), countryOf(company, order.partner_id.lang)];
  const contact = [company.phone, company.email, company.website];
  for (const row of [place, contact].map((parts) => parts.filter(Boolean).join('  ·  ')))
    if (row) sheet.write(row, { size: 8, colour: 'muted', width });
  sheet.y = Math.max(sheet.y + 44, 120);
}

function drawAddress(sheet: Sheet, { partner_id: partner }: Quotation): void {
  const firm = partner.parent_id?.name;
  const rows = [firm, partner.name, partner.street, partner.street2, townOf(partner), countryOf(partner, partner.lang)];
  for (const [index, row] of rows.filter((each) => each).entries()) {
    sheet.write(row ?? '', { bold: index === 0, size: 10.5, width: 260 });
  }
  sheet.y += 28;
}

/** The country as the customer's language calls it. */
function countryOf({ country_id: country }: { readonly country_id: unknown }, lang: string | null): string | null {
  const { code, name } = (country ?? { code: '', name: null }) as {
    readonly code: string;
    readonly name: string | null;
  };
  if (!/^[A-Z]{2}$/.test(code)) return name;
  return new Intl.DisplayNames([(lang ?? 'en_US').replaceAll('_', '-')], { type: 'region' }).of(code) ?? name;
}

function townOf({ zip, city }: { readonly zip: string | null; readonly city: string | null }): string {
  return [zip, city].filter(Boolean).join(' ');
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

function drawLines(sheet: Sheet, order: Quotation, say: Say): Promise<void> {
  const { lang } = order.partner_id;
  const hasDiscount = order.line_ids.some((line) => !line.discount.eq(0));
  const right = (label: string, width: number) => ({ label, width, align: 'right' }) as const;
  // One rate for all is said once, below the total.
  const rates = order.line_ids.filter(({ line_type }) => line_type === 'product').map((line) => ratesOf(line, lang));
  const hasRates = new Set(rates).size > 1;
  const columns = [
    right(say('Quantity'), 62),
    right(say('Unit price'), 76),
    ...(hasDiscount ? [right(say('Disc.'), 42)] : []),
    ...(hasRates ? [right(say('Tax'), 48)] : []),
    right(say('Amount'), 82),
  ];
  const words = (name: string, amount = '') => [name, ...columns.slice(1).map(() => ''), amount];
  const rows = order.line_ids.flatMap((line, index) => {
    const subtotal = subtotalBefore(order.line_ids, index);
    const end = (amount: Quotation['amount_total']) =>
      words(say('Subtotal'), formatAmount(amount, order.currency_id, lang));
    const before = line.line_type === 'section' && subtotal !== null ? [end(subtotal)] : [];
    const isLast = index === order.line_ids.length - 1;
    const whole = isLast ? subtotalBefore(order.line_ids, index + 1) : null;
    // Headings and notes are words between the lines.
    const own = line.line_type === 'product' ? productRow(line) : words(line.name);
    return [...before, own, ...(whole === null ? [] : [end(whole)])];
  });
  return drawTable(sheet, say('Description'), columns, rows);

  function productRow(line: Quotation['line_ids'][number]): string[] {
    return [
      line.name,
      [formatNumber(line.quantity, lang), line.uom_id?.name].filter(Boolean).join(' '),
      formatAmount(line.price_unit, currencyFor(line.price_unit, order), lang),
      ...(hasDiscount ? [line.discount.eq(0) ? '' : `${formatNumber(line.discount, lang)} %`] : []),
      ...(hasRates ? [ratesOf(line, lang)] : []),
      formatAmount(line.price_subtotal, order.currency_id, lang),
    ];
  }
}

type Lines = Quotation['line_ids'];

/** What the section that ends before a line comes to; null where none does. */
function subtotalBefore(lines: Lines, end: number): Quotation['amount_total'] | null {
  const start = lines.slice(0, end).findLastIndex(({ line_type: kind }) => kind === 'section');
  if (start < 0) return null;
  return sum(lines.slice(start + 1, end), (line) => line.price_subtotal);
}

/** 19 %, or 19 % + 2 % where a line has two taxes. */
function ratesOf({ tax_ids: taxes }: Lines[number], lang: string | null): string {
  return taxes.map(({ percent }) => `${formatNumber(percent, lang)} %`).join(' + ') || '0 %';
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

/** Where to pay, and who the company is to the authorities. */
function drawCompany(sheet: Sheet, { company_id: company }: Quotation, say: Say): void {
  const named = (label: string, value: string | null) => (value ? `${label} ${value}` : null);
  const bank = [company.bank_name, named('IBAN', grouped(company.iban)), named('BIC', company.bic)];
  const office = [
    named(say('Tax id'), company.vat),
    named(say('Tax number'), company.tax_number),
    named(say('Register entry'), company.registration),
  ];
  const rows = [bank, office].map((parts) => parts.filter(Boolean).join('  ·  ')).filter((row) => row !== '');
  if (rows.length === 0) return;
  sheet.makeRoom(rows.length * 14 + 12);
  sheet.y += 12;
  for (const row of rows) sheet.write(row, { size: 8, colour: 'muted' });
}

/** In groups of four, as it is typed from paper. */
function grouped(iban: string | null): string | null {
  return iban?.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ') ?? null;
}
