import { isTaxId } from '@addons/sale';
import { type Draft, type Text, text } from '@kontor/addon';

/** Factur-X is inside the PDF, XRechnung a file of its own. */
export type Profile = 'factur-x' | 'xrechnung';
/** Of tax, in the codes of EN 16931. */
export type Category = 'S' | 'Z' | 'E' | 'AE' | 'G';
const untaxed = { reverse: 'AE', export: 'G', exempt: 'E', normal: 'Z' } as const;

/** The paths that the standard asks about. */
const dataPaths = [
  ...(['tax_treatment', 'vat', 'buyer_reference', 'partner_id.email', 'currency_id.decimal_places'] as const),
  ...(['company_id.vat', 'company_id.tax_number', 'company_id.phone', 'company_id.email'] as const),
  ...(['company_id.street', 'company_id.zip', 'company_id.city', 'company_id.country_id.code'] as const),
  ...(['address_id.street', 'address_id.zip', 'address_id.city', 'address_id.country_id.code'] as const),
  ...(['address_id.email', 'line_ids.line_type', 'line_ids.tax_ids.percent'] as const),
] as const;
/** The paths that the law and the standard ask about. */
export const factPaths = [
  ...dataPaths,
  ...(['type', 'state', 'delivery_date', 'line_ids.is_down_payment'] as const),
] as const;
type Data = Draft<'invoice.invoice', (typeof dataPaths)[number]>;
export type Facts = Draft<'invoice.invoice', (typeof factPaths)[number]>;

export function categoryOf(
  { tax_treatment: treatment }: Pick<Data, 'tax_treatment'>,
  line: Pick<Data['line_ids'][number], 'tax_ids'>,
): Category {
  return line.tax_ids[0]?.percent?.gt(0) ? 'S' : untaxed[treatment ?? 'normal'];
}

/** A VAT id begins with the letters of its country (BR-CO-9); anything else is a tax number. */
export function isVatId(id: string | null | undefined): id is string {
  return /^\s*[A-Z]{2}/i.test(id ?? '');
}

type Fact = readonly [isThere: unknown, words: Text];
const missing = (facts: readonly Fact[]) => facts.flatMap(([isThere, words]) => (isThere ? [] : [words]));

/** What the standard requires and the invoice lacks. */
export function missingFacts(invoice: Data, profile: Profile): readonly Text[] {
  const { company_id: company, address_id: buyer, line_ids: lines, buyer_reference: reference } = invoice;
  const priced = lines.filter(({ line_type: kind }) => kind === 'product');
  const has = (category: Category) => priced.some((line) => categoryOf(invoice, line) === category);
  const facts: readonly Fact[] = [
    [lines.every(({ tax_ids: taxes }) => taxes.length <= 1), text('one tax at most on each line')],
    [company?.vat ?? company?.tax_number, text('the tax id of your company')],
    [company?.country_id, text('the country of your company')],
    [buyer?.country_id, text('the country of the customer')],
    [(invoice.currency_id?.decimal_places ?? 2) <= 2, text('a currency with two decimals at most')],
    [!has('AE') || (isVatId(invoice.vat) && company?.vat), text('the tax ids of both sides, for reverse charge')],
    [!has('G') || isVatId(company?.vat), text('the VAT id of your company, for an export')],
  ];
  const public_: readonly Fact[] = [
    [reference, text("the customer's buyer reference (Leitweg-ID)")],
    [company?.zip && company.city, text('the address of your company')],
    [buyer?.zip && buyer.city, text('the address of the customer')],
    [company?.phone, text('the phone number of your company')],
    [company?.email, text('the e-mail address of your company')],
    [buyer?.email ?? invoice.partner_id?.email, text('the e-mail address of the customer')],
  ];
  return missing([...facts, ...(profile === 'xrechnung' ? public_ : [])]);
}

/** What the law asks for on an invoice and this one lacks. Nothing was delivered yet for a down payment. */
export function missingByLaw(invoice: Facts): readonly Text[] {
  const { company_id: company, address_id: buyer, line_ids: lines, type } = invoice;
  const isDelivered = type === 'invoice' && lines.some((line) => line.line_type === 'product' && !line.is_down_payment);
  return missing([
    [company?.vat ?? company?.tax_number, text('the tax id of your company')],
    [company?.street && company.city, text('the address of your company')],
    [buyer?.street && buyer.city, text('the address of the customer')],
    [
      !invoice.vat || isTaxId(invoice.vat, buyer?.country_id?.code),
      text('a tax id of the customer that is valid in their country'),
    ],
    [invoice.tax_treatment !== 'reverse' || invoice.vat, text('the tax id of the customer, for reverse charge')],
    [!isDelivered || invoice.delivery_date, text('the day of the delivery')],
  ]);
}
