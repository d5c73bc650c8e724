import { isTaxId, type taxTreatments } from '@addons/sale';
import { Decimal, type Text, text } from '@kontor/addon';

/** Factur-X is inside the PDF, XRechnung a file of its own. */
export type Profile = 'factur-x' | 'xrechnung';
/** Of tax, in the codes of EN 16931. */
export type Category = 'S' | 'Z' | 'E' | 'AE' | 'G';
const untaxed = { reverse: 'AE', export: 'G', exempt: 'E', normal: 'Z' } as const;
const zero = new Decimal(0);

interface Place {
  readonly street: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly country_id: unknown;
}
interface FactLine {
  readonly line_type: string | null;
  readonly tax_ids: readonly { readonly percent: Decimal | null }[];
}
interface Facts {
  readonly currency_id: { readonly decimal_places: number | null } | null;
  readonly tax_treatment: keyof typeof taxTreatments | null;
  readonly vat: string | null;
  readonly buyer_reference: string | null;
  readonly company_id: (Place & Readonly<Record<'vat' | 'tax_number' | 'phone' | 'email', string | null>>) | null;
  readonly partner_id: { readonly email: string | null } | null;
  readonly address_id: (Place & { readonly email: string | null }) | null;
  readonly line_ids: readonly FactLine[];
}

export function categoryOf({ tax_treatment: treatment }: Pick<Facts, 'tax_treatment'>, line: FactLine): Category {
  return (line.tax_ids[0]?.percent ?? zero).gt(0) ? 'S' : untaxed[treatment ?? 'normal'];
}

/** A VAT id begins with the letters of its country (BR-CO-9); anything else is a tax number. */
export function isVatId(id: string | null | undefined): id is string {
  return /^\s*[A-Z]{2}/i.test(id ?? '');
}

type Fact = readonly [isThere: unknown, words: Text];
const missing = (facts: readonly Fact[]) => facts.flatMap(([isThere, words]) => (isThere ? [] : [words]));

/** What the standard requires and the invoice lacks. */
export function missingFacts(invoice: Facts, profile: Profile): readonly Text[] {
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

interface LegalFacts extends Facts {
  readonly type: string | null;
  readonly delivery_date: string | null;
  readonly line_ids: readonly (FactLine & { readonly is_down_payment: boolean })[];
}

/** What the law asks for on an invoice and this one lacks. Nothing was delivered yet for a down payment. */
export function missingByLaw(invoice: LegalFacts): readonly Text[] {
  const { company_id: company, address_id: buyer, line_ids: lines, type } = invoice;
  const country = (buyer?.country_id as { readonly code: string } | null | undefined)?.code;
  const isDelivered = type === 'invoice' && lines.some((line) => line.line_type === 'product' && !line.is_down_payment);
  return missing([
    [company?.vat ?? company?.tax_number, text('the tax id of your company')],
    [company?.street && company.city, text('the address of your company')],
    [buyer?.street && buyer.city, text('the address of the customer')],
    [!invoice.vat || isTaxId(invoice.vat, country), text('a tax id of the customer that is valid in their country')],
    [invoice.tax_treatment !== 'reverse' || invoice.vat, text('the tax id of the customer, for reverse charge')],
    [!isDelivered || invoice.delivery_date, text('the day of the delivery')],
  ]);
}
