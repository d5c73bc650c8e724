import { amountsIn, taxSums } from '@addons/sale';
import { Decimal, sum, toHtml } from '@kontor/addon';
import type { PrintedInvoice } from '../document/load-invoice.ts';
import { type Category, categoryOf, isVatId, type Profile } from './missing-facts.ts';

const guidelines = {
  'factur-x': 'urn:cen.eu:en16931:2017',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
} as const;

/** The reasons of the standard for invoices without tax, in its English words. */
const exemptions: Partial<Record<Category, { readonly code: string | null; readonly reason: string }>> = {
  AE: { code: 'VATEX-EU-AE', reason: 'Reverse charge' },
  G: { code: 'VATEX-EU-G', reason: 'Export outside the EU' },
  E: { code: null, reason: 'Exempt from tax' },
};
const zero = new Decimal(0);

/** The data of an invoice as XML (UN/CEFACT Cross Industry Invoice, EN 16931). */
export function crossIndustryInvoice(invoice: PrintedInvoice, profile: Profile): string {
  const { type, name, invoice_date: date, note, reason } = invoice;
  const process = profile === 'xrechnung' ? 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0' : null;
  const root = tag('rsm:CrossIndustryInvoice', [
    tag('rsm:ExchangedDocumentContext', [
      process && tag('ram:BusinessProcessSpecifiedDocumentContextParameter', [tag('ram:ID', process)]),
      tag('ram:GuidelineSpecifiedDocumentContextParameter', [tag('ram:ID', guidelines[profile])]),
    ]),
    tag('rsm:ExchangedDocument', [
      tag('ram:ID', name ?? ''),
      tag('ram:TypeCode', type === 'credit' ? '381' : '380'),
      tag('ram:IssueDateTime', [dateTag('udt', date)]),
      ...[note, reason].map((words) => words && tag('ram:IncludedNote', [tag('ram:Content', words)])),
    ]),
    tag('rsm:SupplyChainTradeTransaction', [
      ...ratedLines(invoice).map((line, at) => lineTag(invoice, line, at + 1)),
      agreement(invoice),
      delivery(invoice),
      settlement(invoice),
    ]),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.replace('>', ` ${namespaces}>`)}\n`;
}

const standard = 'urn:un:unece:uncefact:data:standard';
const namespaces = [
  `xmlns:rsm="${standard}:CrossIndustryInvoice:100"`,
  `xmlns:ram="${standard}:ReusableAggregateBusinessInformationEntity:100"`,
  `xmlns:qdt="${standard}:QualifiedDataType:100"`,
  `xmlns:udt="${standard}:UnqualifiedDataType:100"`,
].join(' ');

type Rated = ReturnType<typeof ratedLines>[number];

/** The lines that cost something, with their category of tax. */
function ratedLines(invoice: PrintedInvoice) {
  const products = invoice.line_ids.filter(({ line_type: kind }) => kind === 'product');
  return products.map((line) => {
    return { line, category: categoryOf(invoice, line), percent: line.tax_ids[0]?.percent ?? zero };
  });
}

function lineTag(
  { currency_id: currency }: PrintedInvoice,
  { line, category, percent }: Rated,
  number: number,
): string {
  const [name = '', ...details] = line.name.split('\n');
  const net = amountsIn(line, currency).untaxed;
  // Prices of the standard are without tax and not negative; the quantity has the sign.
  const given = line.price_unit.times(new Decimal(100).minus(line.discount)).div(100);
  const included = line.tax_ids.some((tax) => tax.price_included);
  const price = included ? given.div(percent.div(100).plus(1)).round(6) : given;
  const quantity = price.lt(0) ? line.quantity.times(-1) : line.quantity;
  return tag('ram:IncludedSupplyChainTradeLineItem', [
    tag('ram:AssociatedDocumentLineDocument', [tag('ram:LineID', `${number}`)]),
    tag('ram:SpecifiedTradeProduct', [
      tag('ram:Name', name) || tag('ram:Name', '-'),
      tag('ram:Description', details.join('\n')),
    ]),
    tag('ram:SpecifiedLineTradeAgreement', [
      tag('ram:NetPriceProductTradePrice', [tag('ram:ChargeAmount', `${price.abs()}`)]),
    ]),
    tag('ram:SpecifiedLineTradeDelivery', [
      tag('ram:BilledQuantity', `${quantity}`, { unitCode: line.uom_id?.unece_code ?? 'C62' }),
    ]),
    tag('ram:SpecifiedLineTradeSettlement', [
      tag('ram:ApplicableTradeTax', [
        tag('ram:TypeCode', 'VAT'),
        tag('ram:CategoryCode', category),
        tag('ram:RateApplicablePercent', `${percent}`),
      ]),
      tag('ram:SpecifiedTradeSettlementLineMonetarySummation', [tag('ram:LineTotalAmount', net.toFixed(2))]),
    ]),
  ]);
}

type Place = PrintedInvoice['company_id'] | NonNullable<PrintedInvoice['address_id']>;

function addressTag({ zip, street, street2, city, country_id: country }: Place): string {
  return tag('ram:PostalTradeAddress', [
    zip && tag('ram:PostcodeCode', zip),
    street && tag('ram:LineOne', street),
    street2 && tag('ram:LineTwo', street2),
    city && tag('ram:CityName', city),
    tag('ram:CountryID', country?.code ?? ''),
  ]);
}

function mailTag(address: string | null | undefined) {
  return address && tag('ram:URIUniversalCommunication', [tag('ram:URIID', address, { schemeID: 'EM' })]);
}

function agreement({ company_id: company, ...invoice }: PrintedInvoice): string {
  const { partner_id: customer, address_id: contact, vat, user_id: user, buyer_reference: reference } = invoice;
  const taxNumber = company.tax_number ?? (isVatId(company.vat) ? null : company.vat);
  const taxId = (id: string | null, schemeID: string) =>
    id && tag('ram:SpecifiedTaxRegistration', [tag('ram:ID', id.replaceAll(/\s/g, ''), { schemeID })]);
  return tag('ram:ApplicableHeaderTradeAgreement', [
    reference && tag('ram:BuyerReference', reference),
    tag('ram:SellerTradeParty', [
      tag('ram:Name', company.name),
      tag('ram:DefinedTradeContact', [
        tag('ram:PersonName', user?.name ?? company.name),
        company.phone && tag('ram:TelephoneUniversalCommunication', [tag('ram:CompleteNumber', company.phone)]),
        company.email && tag('ram:EmailURIUniversalCommunication', [tag('ram:URIID', company.email)]),
      ]),
      addressTag(company),
      mailTag(company.email),
      taxId(taxNumber, 'FC'),
      isVatId(company.vat) && taxId(company.vat, 'VA'),
    ]),
    tag('ram:BuyerTradeParty', [
      tag('ram:Name', customer.name),
      contact && addressTag(contact),
      mailTag(contact?.email ?? customer.email),
      isVatId(vat) && taxId(vat, 'VA'),
    ]),
    invoice.client_reference &&
      tag('ram:BuyerOrderReferencedDocument', [tag('ram:IssuerAssignedID', invoice.client_reference)]),
  ]);
}

function delivery({ delivery_date: date, delivery_end: end }: PrintedInvoice): string {
  const day = end ?? date;
  return tag('ram:ApplicableHeaderTradeDelivery', [
    day && tag('ram:ActualDeliverySupplyChainEvent', [tag('ram:OccurrenceDateTime', [dateTag('udt', day)])]),
  ]);
}

function settlement(invoice: PrintedInvoice): string {
  const { company_id: company, currency_id: currency, type, delivery_date: from, delivery_end: until } = invoice;
  const { amount_untaxed: net, amount_total: total, reversed_id: corrected, due_date: due, homeTax: home } = invoice;
  const iban = company.iban?.replaceAll(/\s/g, '');
  const amount = (name: string, value: Decimal, attributes = {}) => tag(`ram:${name}`, value.toFixed(2), attributes);
  return tag('ram:ApplicableHeaderTradeSettlement', [
    tag('ram:PaymentReference', invoice.name ?? ''),
    home && tag('ram:TaxCurrencyCode', home.currency.name),
    tag('ram:InvoiceCurrencyCode', currency.name),
    tag('ram:SpecifiedTradeSettlementPaymentMeans', [
      tag('ram:TypeCode', iban ? '58' : '1'),
      iban &&
        tag('ram:PayeePartyCreditorFinancialAccount', [tag('ram:IBANID', iban), tag('ram:AccountName', company.name)]),
      iban && company.bic && tag('ram:PayeeSpecifiedCreditorFinancialInstitution', [tag('ram:BICID', company.bic)]),
    ]),
    ...breakdown(invoice).map(({ category, percent, base, tax }) => {
      const { reason, code } = exemptions[category] ?? { reason: null, code: null };
      return tag('ram:ApplicableTradeTax', [
        amount('CalculatedAmount', tax),
        tag('ram:TypeCode', 'VAT'),
        reason && tag('ram:ExemptionReason', reason),
        amount('BasisAmount', base),
        tag('ram:CategoryCode', category),
        code && tag('ram:ExemptionReasonCode', code),
        tag('ram:RateApplicablePercent', `${percent}`),
      ]);
    }),
    from &&
      until &&
      tag('ram:BillingSpecifiedPeriod', [
        tag('ram:StartDateTime', [dateTag('udt', from)]),
        tag('ram:EndDateTime', [dateTag('udt', until)]),
      ]),
    due && type === 'invoice'
      ? tag('ram:SpecifiedTradePaymentTerms', [tag('ram:DueDateDateTime', [dateTag('udt', due)])])
      : tag('ram:SpecifiedTradePaymentTerms', [tag('ram:Description', '-')]),
    tag('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      amount('LineTotalAmount', net),
      amount('TaxBasisTotalAmount', net),
      amount('TaxTotalAmount', total.minus(net), { currencyID: currency.name }),
      home && amount('TaxTotalAmount', home.amount, { currencyID: home.currency.name }),
      amount('GrandTotalAmount', total),
      amount('DuePayableAmount', total),
    ]),
    corrected &&
      tag('ram:InvoiceReferencedDocument', [
        tag('ram:IssuerAssignedID', corrected.name ?? ''),
        tag('ram:FormattedIssueDateTime', [dateTag('qdt', corrected.invoice_date)]),
      ]),
  ]);
}

/** The sums of each category and rate. */
function breakdown(invoice: PrintedInvoice) {
  const parts = new Map<string, Rated[]>();
  for (const rated of ratedLines(invoice)) {
    const key = `${rated.category} ${rated.percent}`;
    parts.set(key, [...(parts.get(key) ?? []), rated]);
  }
  const { currency_id: currency, tax_rounding: rounding } = invoice;
  return [...parts.values()].map((part) => {
    const [{ category, percent }] = part as [Rated];
    const lines = part.map(({ line }) => line);
    const base = sum(lines, (line) => amountsIn(line, currency).untaxed);
    const tax = sum(taxSums(lines, currency, rounding ?? 'line'), ({ amount }) => amount);
    return { category, percent, base, tax };
  });
}

function dateTag(prefix: 'udt' | 'qdt', date: string): string {
  return tag(`${prefix}:DateTimeString`, date.replaceAll('-', ''), { format: '102' });
}

/** The schema requires it, whether or not the day is known. */
const mayBeEmpty = 'ram:ApplicableHeaderTradeDelivery';

/** An element with text, or with elements; those that are absent or empty are left out. */
function tag(
  name: string,
  content: string | readonly (string | null | undefined | false)[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const inside = typeof content === 'string' ? escaped(content) : content.filter(Boolean).join('');
  if (inside === '' && name !== mayBeEmpty) return '';
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${given.join('')}>${inside}</${name}>`;
}

/** Also without the control characters that XML does not allow. */
function escaped(value: string): string {
  return toHtml(value.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').trim());
}
