import {
  drawTable,
  drawText,
  type Env,
  formatAmount,
  formatNumber,
  ibanText,
  type Loaded,
  openSheet,
  type Sheet,
  sum,
  wordsIn,
} from '@kontor/addon';
import type { TaxRate } from '../lines/line-amounts.ts';
import { countryOf, placePaths, townOf } from './address-lines.ts';

/** What quotations, orders and invoices have in common on paper. */
export type Say = ReturnType<typeof wordsIn>['say'];
type Amount = TaxRate['percent'];

/** The paths of a company that are printed. */
export const senderPaths = [
  ...placePaths,
  ...(['vat', 'email', 'phone', 'website', 'logo', 'tax_number', 'registration', 'bank_name', 'iban', 'bic'] as const),
] as const;
type Sender = Loaded<'core.company', (typeof senderPaths)[number]>;

interface PrintedLine {
  readonly line_type: string;
  readonly name: string;
  readonly quantity: Amount;
  readonly uom_id: { readonly name: string } | null;
  readonly price_unit: Amount;
  readonly discount: Amount;
  readonly price_subtotal: Amount;
  /** What an option would add; it is not in the total. */
  readonly option_subtotal?: Amount;
  readonly tax_ids: readonly { readonly percent: Amount }[];
}
/** The lines of a document, its currency and the language of its reader. */
export interface Printed {
  readonly lang: string | null;
  readonly currency_id: { readonly symbol: string; readonly decimal_places: number } | null;
  readonly line_ids: readonly PrintedLine[];
}

interface Page {
  readonly title: string;
  readonly lang: string | null;
  readonly company: Sender;
  /** Of the recipient. */
  readonly address: readonly (string | null | undefined)[];
  readonly facts: Facts;
  /** Of the document, below each page. */
  readonly number: string;
  readonly carries?: NonNullable<Parameters<typeof openSheet>[1]['carries']>;
}
type Facts = readonly (readonly [label: string, value: string | null | undefined])[];

/** A document on the paper of a company: what it says is drawn between its facts and the details of the company. */
export async function drawDocument(
  env: Env,
  { company, address, facts, number, ...page }: Page,
  drawContent: (sheet: Sheet) => Promise<void>,
): Promise<Buffer> {
  const sheet = await openSheet(env, { ...page, author: company.name, fontsParameter: 'sale.report_fonts' });
  drawSender(sheet, company, page.lang);
  drawAddress(sheet, address);
  sheet.write(page.title, { size: 17, bold: true });
  drawFacts(sheet, facts);
  await drawContent(sheet);
  drawCompany(sheet, company, wordsIn(env, page.lang ?? 'en_US', 'sale').say);
  return sheet.close(`${company.name}  ·  ${number}`);
}

function drawSender(sheet: Sheet, company: Sender, lang: string | null): void {
  const logo = { x: sheet.right - 120, y: 44, width: 120, height: 52, align: 'right' } as const;
  if (company.logo) sheet.image(company.logo, logo);
  const width = sheet.width - 130;
  sheet.write(company.name, { size: 15, bold: true, colour: 'accent', width });
  const address = [company.street, company.street2, townOf(company), countryOf(company, lang)];
  const contact = [company.phone, company.email, company.website];
  for (const row of [address, contact].map((parts) => parts.filter(Boolean).join('  ·  ')))
    if (row) sheet.write(row, { size: 8, colour: 'muted', width });
  sheet.down(44, 120);
}

function drawAddress(sheet: Sheet, rows: Page['address']): void {
  for (const [index, row] of rows.filter((each) => each).entries()) {
    sheet.write(row ?? '', { bold: index === 0, size: 10.5, width: 260 });
  }
  sheet.down(28);
}

function drawFacts(sheet: Sheet, facts: Facts): void {
  const shown = facts.filter(([, value]) => value);
  const width = sheet.width / Math.max(1, shown.length);
  sheet.down(8);
  sheet.beside(
    ...shown.map(([label, value], index) => () => {
      const place = { x: sheet.left + index * width, width: width - 8 };
      sheet.write(label, { ...place, size: 8, colour: 'muted' });
      sheet.write(value ?? '', place);
    }),
  );
  sheet.down(22);
}

export function drawLines(
  sheet: Sheet,
  { lang, currency_id: currency, line_ids: lines }: Printed,
  say: Say,
): Promise<void> {
  const hasDiscount = lines.some((line) => !line.discount.eq(0));
  const right = (label: string, width: number) => ({ label, width, align: 'right' }) as const;
  // One rate for all is said once, below the total.
  const rates = lines.filter(isPriced).map((line) => ratesOf(line, lang));
  const hasRates = new Set(rates).size > 1;
  const columns = [
    right(say('Quantity'), 62),
    right(say('Unit price'), 76),
    ...(hasDiscount ? [right(say('Disc.'), 42)] : []),
    ...(hasRates ? [right(say('Tax'), 48)] : []),
    right(say('Amount'), 82),
  ];
  const words = (name: string, amount = '') => [name, ...columns.slice(1).map(() => ''), amount];
  return drawTable(sheet, say('Description'), columns, rows());

  function* rows(): Generator<readonly string[]> {
    const end = (amount: Amount) => words(say('Subtotal'), formatAmount(amount, currency, lang));
    /** The lines since the last heading. */
    let part: PrintedLine[] | null = null;
    const subtotal = () => (part === null ? [] : [end(sum(part, (line) => line.price_subtotal))]);
    for (const line of lines) {
      if (line.line_type === 'section') {
        yield* subtotal();
        part = [];
      } else part?.push(line);
      // Headings and notes are words between the lines.
      yield isPriced(line) ? productRow(line) : words(line.name);
    }
    yield* subtotal();
  }

  function productRow(line: PrintedLine): string[] {
    return [
      line.line_type === 'option' ? `${line.name} (${say('Option')})` : line.name,
      [formatNumber(line.quantity, lang), line.uom_id?.name].filter(Boolean).join(' '),
      formatAmount(line.price_unit, currencyFor(line.price_unit, currency), lang),
      ...(hasDiscount ? [line.discount.eq(0) ? '' : `${formatNumber(line.discount, lang)} %`] : []),
      ...(hasRates ? [ratesOf(line, lang)] : []),
      line.line_type === 'option'
        ? `(${formatAmount(line.option_subtotal ?? line.price_subtotal, currency, lang)})`
        : formatAmount(line.price_subtotal, currency, lang),
    ];
  }
}

function isPriced({ line_type: kind }: PrintedLine): boolean {
  return kind === 'product' || kind === 'option';
}

/** 19 %, or 19 % + 2 % where a line has two taxes. */
function ratesOf({ tax_ids: taxes }: PrintedLine, lang: string | null): string {
  return taxes.map(({ percent }) => `${formatNumber(percent, lang)} %`).join(' + ') || '0 %';
}

/** Prices of small units may have more decimals than the currency, and must not look rounded. */
function currencyFor(price: Amount, currency: Printed['currency_id']) {
  const places = price.toFixed().split('.')[1]?.length ?? 0;
  return currency && { ...currency, decimal_places: Math.max(places, currency.decimal_places) };
}

/** The last row is the total. */
export function drawTotals(
  sheet: Sheet,
  sums: readonly { readonly name: string; readonly amount: Amount }[],
  { lang, currency_id: currency }: Pick<Printed, 'lang' | 'currency_id'>,
): void {
  sheet.makeRoom(sums.length * 18 + 20);
  sheet.down(10);
  const x = sheet.right - 260;
  for (const [index, { name, amount }] of sums.entries()) {
    const style = index === sums.length - 1 ? { bold: true, size: 12 } : {};
    const shown = formatAmount(amount, currency, lang);
    sheet.beside(
      () => sheet.write(name, { ...style, x, width: 150 }),
      () => sheet.write(shown, { ...style, x: x + 150, width: 110, align: 'right' }),
    );
    sheet.down(4);
  }
  sheet.down(14);
}

export async function drawNote(sheet: Sheet, note: string | null): Promise<void> {
  if (note) await drawText(sheet, note, { size: 9, colour: 'muted' });
}

/** Where to pay, and who the company is to the authorities. */
function drawCompany(sheet: Sheet, company: Sender, say: Say): void {
  const named = (label: string, value: string | null) => (value ? `${label} ${value}` : null);
  const bank = [company.bank_name, named('IBAN', company.iban && ibanText(company.iban)), named('BIC', company.bic)];
  const office = [
    named(say('Tax id'), company.vat),
    named(say('Tax number'), company.tax_number),
    named(say('Register entry'), company.registration),
  ];
  const rows = [bank, office].map((parts) => parts.filter(Boolean).join('  ·  ')).filter((row) => row !== '');
  if (rows.length === 0) return;
  sheet.makeRoom(rows.length * 14 + 12);
  sheet.down(12);
  for (const row of rows) sheet.write(row, { size: 8, colour: 'muted' });
}
