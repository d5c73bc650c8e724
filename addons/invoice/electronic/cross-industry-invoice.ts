import { amountsIn, taxSums } from '@addons/sale';
import { Decimal, groupBy, sum, toHtml } from '@kontor/addon';
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

/** The data of an invoice as XML (UN/CEFACT Cross Industry Invoice, EN 16931). */
export function crossIndustryInvoice(invoice: PrintedInvoice, profile: Profile): string {
  const { type, name, invoice_date: date, note, reason } = invoice;
  const process = profile === 'xrechnung' ? 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0' : '';
  const root = tag('rsm:CrossIndustryInvoice', [
    tag('rsm:ExchangedDocumentContext', [
      tag('BusinessProcessSpecifiedDocumentContextParameter/ID', process),
      tag('GuidelineSpecifiedDocumentContextParameter/ID', guidelines[profile]),
    ]),
    tag('rsm:ExchangedDocument', [
      tag('ID', name),
      tag('TypeCode', type === 'credit' ? '381' : '380'),
      dateTag('IssueDateTime/udt', date),
      ...[note, reason].map((words) => tag('IncludedNote/Content', words)),
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
  const percentOf = (line: (typeof products)[number]) => line.tax_ids[0]?.percent ?? new Decimal(0);
  return products.map((line) => ({ line, category: categoryOf(invoice, line), percent: percentOf(line) }));
}

function lineTag(invoice: PrintedInvoice, { line, category, percent }: Rated, number: number): string {
  const [name = '', ...details] = line.name.split('\n');
  const net = amountsIn(line, invoice.currency_id).untaxed;
  // Prices of the standard are without tax and not negative; the quantity has the sign.
  const given = line.price_unit.times(new Decimal(100).minus(line.discount)).div(100);
  const included = line.tax_ids.some((tax) => tax.price_included);
  const price = included ? given.div(percent.div(100).plus(1)).round(6) : given;
  const quantity = price.lt(0) ? line.quantity.times(-1) : line.quantity;
  return tag('IncludedSupplyChainTradeLineItem', [
    tag('AssociatedDocumentLineDocument/LineID', `${number}`),
    tag('SpecifiedTradeProduct', [tag('Name', name) || tag('Name', '-'), tag('Description', details.join('\n'))]),
    tag('SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount', `${price.abs()}`),
    tag('SpecifiedLineTradeDelivery/BilledQuantity', `${quantity}`, { unitCode: line.uom_id?.unece_code ?? 'C62' }),
    tag('SpecifiedLineTradeSettlement', [
      tag('ApplicableTradeTax', [
        tag('TypeCode', 'VAT'),
        tag('CategoryCode', category),
        tag('RateApplicablePercent', `${percent}`),
      ]),
      tag('SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount', net.toFixed(2)),
    ]),
  ]);
}

type Place = PrintedInvoice['company_id'] | NonNullable<PrintedInvoice['address_id']>;

function addressTag({ zip, street, street2, city, country_id: country }: Place): string {
  return tag('PostalTradeAddress', [
    tag('PostcodeCode', zip),
    tag('LineOne', street),
    tag('LineTwo', street2),
    tag('CityName', city),
    tag('CountryID', country?.code),
  ]);
}

function mailTag(address: string | null | undefined): string {
  return tag('URIUniversalCommunication/URIID', address, { schemeID: 'EM' });
}

function taxIdTag(id: string | null, schemeID: 'FC' | 'VA'): string {
  return tag('SpecifiedTaxRegistration/ID', id?.replaceAll(/\s/g, ''), { schemeID });
}

function agreement({ company_id: company, ...invoice }: PrintedInvoice): string {
  const { partner_id: customer, address_id: contact, vat, user_id: user } = invoice;
  const taxNumber = company.tax_number ?? (isVatId(company.vat) ? null : company.vat);
  return tag('ApplicableHeaderTradeAgreement', [
    tag('BuyerReference', invoice.buyer_reference),
    tag('SellerTradeParty', [
      tag('Name', company.name),
      tag('DefinedTradeContact', [
        tag('PersonName', user?.name ?? company.name),
        tag('TelephoneUniversalCommunication/CompleteNumber', company.phone),
        tag('EmailURIUniversalCommunication/URIID', company.email),
      ]),
      addressTag(company),
      mailTag(company.email),
      taxIdTag(taxNumber, 'FC'),
      isVatId(company.vat) && taxIdTag(company.vat, 'VA'),
    ]),
    tag('BuyerTradeParty', [
      tag('Name', customer.name),
      contact && addressTag(contact),
      mailTag(contact?.email ?? customer.email),
      isVatId(vat) && taxIdTag(vat, 'VA'),
    ]),
    tag('BuyerOrderReferencedDocument/IssuerAssignedID', invoice.client_reference),
  ]);
}

function delivery({ delivery_date: date, delivery_end: end }: PrintedInvoice): string {
  return tag('ApplicableHeaderTradeDelivery', [
    dateTag('ActualDeliverySupplyChainEvent/OccurrenceDateTime/udt', end ?? date),
  ]);
}

function settlement(invoice: PrintedInvoice): string {
  const { company_id: company, currency_id: currency, type, delivery_date: from, delivery_end: until } = invoice;
  const { amount_untaxed: net, amount_total: total, reversed_id: corrected, due_date: due, homeTax: home } = invoice;
  const iban = company.iban?.replaceAll(/\s/g, '');
  const amount = (name: string, value: Decimal, attributes = {}) => tag(name, value.toFixed(2), attributes);
  return tag('ApplicableHeaderTradeSettlement', [
    tag('PaymentReference', invoice.name),
    tag('TaxCurrencyCode', home?.currency.name),
    tag('InvoiceCurrencyCode', currency.name),
    tag('SpecifiedTradeSettlementPaymentMeans', [
      tag('TypeCode', iban ? '58' : '1'),
      iban && tag('PayeePartyCreditorFinancialAccount', [tag('IBANID', iban), tag('AccountName', company.name)]),
      iban && tag('PayeeSpecifiedCreditorFinancialInstitution/BICID', company.bic),
    ]),
    ...breakdown(invoice).map(({ category, percent, base, tax }) =>
      tag('ApplicableTradeTax', [
        amount('CalculatedAmount', tax),
        tag('TypeCode', 'VAT'),
        tag('ExemptionReason', exemptions[category]?.reason),
        amount('BasisAmount', base),
        tag('CategoryCode', category),
        tag('ExemptionReasonCode', exemptions[category]?.code),
        tag('RateApplicablePercent', `${percent}`),
      ]),
    ),
    from &&
      until &&
      tag('BillingSpecifiedPeriod', [dateTag('StartDateTime/udt', from), dateTag('EndDateTime/udt', until)]),
    tag('SpecifiedTradePaymentTerms', [
      due && type === 'invoice' ? dateTag('DueDateDateTime/udt', due) : tag('Description', '-'),
    ]),
    tag('SpecifiedTradeSettlementHeaderMonetarySummation', [
      amount('LineTotalAmount', net),
      amount('TaxBasisTotalAmount', net),
      amount('TaxTotalAmount', total.minus(net), { currencyID: currency.name }),
      home && amount('TaxTotalAmount', home.amount, { currencyID: home.currency.name }),
      amount('GrandTotalAmount', total),
      amount('DuePayableAmount', total),
    ]),
    corrected &&
      tag('InvoiceReferencedDocument', [
        tag('IssuerAssignedID', corrected.name),
        dateTag('FormattedIssueDateTime/qdt', corrected.invoice_date),
      ]),
  ]);
}

/** The sums of each category and rate. */
function breakdown(invoice: PrintedInvoice) {
  const { currency_id: currency, tax_rounding: rounding } = invoice;
  const parts = groupBy(ratedLines(invoice), ({ category, percent }) => `${category} ${percent}`);
  return [...parts.values()].map((part) => {
    const [{ category, percent }] = part as [Rated];
    const lines = part.map(({ line }) => line);
    const base = sum(lines, (line) => amountsIn(line, currency).untaxed);
    const tax = sum(taxSums(lines, currency, rounding ?? 'line'), ({ amount }) => amount);
    return { category, percent, base, tax };
  });
}

/** The last step of the path is the prefix of the day. */
function dateTag(path: `${string}/${'udt' | 'qdt'}`, date: string | null): string {
  return tag(`${path}:DateTimeString`, date?.replaceAll('-', ''), { format: '102' });
}

/** The schema requires it, whether or not the day is known. */
const mayBeEmpty = 'ram:ApplicableHeaderTradeDelivery';

/** An element with text, or with elements; `A/B` is B in A. Those that are absent or empty are left out. The usual prefix is `ram`. */
function tag(
  path: string,
  content: string | null | undefined | readonly (string | null | undefined | false)[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const [outer = '', ...inner] = path.split('/');
  const name = outer.includes(':') ? outer : `ram:${outer}`;
  if (inner.length > 0) return tag(name, [tag(inner.join('/'), content, attributes)]);
  const isParent = typeof content === 'object' && content !== null;
  const inside = isParent ? content.filter(Boolean).join('') : escaped(content ?? '');
  if (inside === '' && name !== mayBeEmpty) return '';
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${given.join('')}>${inside}</${name}>`;
}

/** Also without the control characters that XML does not allow. */
function escaped(value: string): string {
  return toHtml(value.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').trim());
}
