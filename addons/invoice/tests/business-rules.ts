import type { XmlDocument, XmlElement } from 'libxml2-wasm';

const standard = 'urn:un:unece:uncefact:data:standard';
export const namespaces = {
  rsm: `${standard}:CrossIndustryInvoice:100`,
  ram: `${standard}:ReusableAggregateBusinessInformationEntity:100`,
  qdt: `${standard}:QualifiedDataType:100`,
  udt: `${standard}:UnqualifiedDataType:100`,
};

type Find = (path: string) => string | null;

/** The text at a path below an element, null if it is not there. */
export const finder =
  (element: XmlElement): Find =>
  (path) =>
    element.get(path, namespaces)?.content?.trim() || null;
const all = (document: XmlDocument, path: string) =>
  document.find(path, namespaces).map((node) => finder(node as XmlElement));
/** In cents, exactly; an amount with more decimals is NaN. */
const cents = (amount: string | null): number => {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount ?? '') ?? [];
  return whole === '' ? Number.NaN : Number(`${sign}${whole}${part.padEnd(2, '0')}`);
};
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

/**
 * The business rules of EN 16931 that a document breaks, of those that the invoices here can concern. Ids are without `BR` and dashes:
 * `S 8` is the eighth of the standard rate.
 */
export function brokenRules(document: XmlDocument): string[] {
  const broken = new Set<string>();
  const rule = (id: string, isKept: unknown) => {
    if (!isKept) broken.add(id);
  };
  const root = finder(document.root);
  const trade = './rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTrade';
  const seller = (path: string) => root(`${trade}Agreement/ram:SellerTradeParty/${path}`);
  const buyer = (path: string) => root(`${trade}Agreement/ram:BuyerTradeParty/${path}`);
  const settled = (path: string) => root(`${trade}Settlement/${path}`);
  const total = (name: string) => settled(`ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:${name}`);
  const lines = all(document, '//ram:IncludedSupplyChainTradeLineItem');
  const parts = all(document, '//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax');

  rule('1', root('.//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'));
  rule('2', root('./rsm:ExchangedDocument/ram:ID'));
  rule('3', /^\d{8}$/.test(root('./rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString[@format="102"]') ?? ''));
  rule('4', ['380', '381'].includes(root('./rsm:ExchangedDocument/ram:TypeCode') ?? ''));
  rule('5', /^[A-Z]{3}$/.test(settled('ram:InvoiceCurrencyCode') ?? ''));
  rule('6', seller('ram:Name'));
  rule('7', buyer('ram:Name'));
  rule('8', seller('ram:PostalTradeAddress/ram:CountryID'));
  rule('9', /^[A-Z]{2}$/.test(seller('ram:PostalTradeAddress/ram:CountryID') ?? ''));
  rule('10', buyer('ram:PostalTradeAddress/ram:CountryID'));
  rule('11', /^[A-Z]{2}$/.test(buyer('ram:PostalTradeAddress/ram:CountryID') ?? ''));
  for (const [id, name] of [
    ['12', 'LineTotalAmount'],
    ['13', 'TaxBasisTotalAmount'],
    ['14', 'GrandTotalAmount'],
    ['15', 'DuePayableAmount'],
    ['DEC 13', 'TaxTotalAmount'],
  ] as const)
    rule(id, !Number.isNaN(cents(total(name))));
  rule('16', lines.length > 0);
  checkLines(lines, rule);
  for (const party of [seller, buyer]) {
    const id = party('ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]');
    rule('CO 9', id === null || /^[A-Z]{2}/.test(id));
  }
  for (const uri of document.find('//ram:URIUniversalCommunication/ram:URIID', namespaces)) {
    rule('62', (uri as XmlElement).attr('schemeID')?.value === 'EM');
  }
  const means = settled('ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode');
  rule('49', means);
  rule('61', means !== '58' || settled('.//ram:PayeePartyCreditorFinancialAccount/ram:IBANID'));
  const start = settled('ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString');
  const end = settled('ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString');
  rule('29', start === null || end === null || start <= end);
  rule(
    '55',
    all(document, '//ram:InvoiceReferencedDocument').every((find) => find('ram:IssuerAssignedID')),
  );

  const lineTotals = lines.map((find) => cents(find('.//ram:LineTotalAmount')));
  rule('CO 10', sum(lineTotals) === cents(total('LineTotalAmount')));
  rule('CO 13', cents(total('TaxBasisTotalAmount')) === cents(total('LineTotalAmount')));
  rule('CO 14', sum(parts.map((find) => cents(find('ram:CalculatedAmount')))) === cents(total('TaxTotalAmount')));
  const gross = cents(total('TaxBasisTotalAmount')) + cents(total('TaxTotalAmount'));
  rule('CO 15', gross === cents(total('GrandTotalAmount')));
  rule('CO 16', cents(total('GrandTotalAmount')) === cents(total('DuePayableAmount')));
  rule('CO 18', parts.length > 0);
  const terms = settled('ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString');
  rule('CO 25', terms ?? settled('ram:SpecifiedTradePaymentTerms/ram:Description'));
  rule(
    'CO 26',
    seller('ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]') ?? seller('ram:SpecifiedTaxRegistration/ram:ID'),
  );
  checkBreakdown(lines, parts, { seller, buyer }, rule);
  return [...broken];
}

type Rule = (id: string, isKept: unknown) => void;

function checkLines(lines: readonly Find[], rule: Rule): void {
  const ids = lines.map((find) => find('ram:AssociatedDocumentLineDocument/ram:LineID'));
  rule('21', ids.every(Boolean) && new Set(ids).size === ids.length);
  for (const find of lines) {
    rule('22', find('.//ram:BilledQuantity'));
    rule('23', find('.//ram:BilledQuantity[string-length(@unitCode) > 0]'));
    rule('24', !Number.isNaN(cents(find('.//ram:LineTotalAmount'))));
    rule('25', find('.//ram:SpecifiedTradeProduct/ram:Name'));
    rule('26', find('.//ram:NetPriceProductTradePrice/ram:ChargeAmount'));
    rule('27', Number(find('.//ram:NetPriceProductTradePrice/ram:ChargeAmount')) >= 0);
    rule('CO 4', find('.//ram:ApplicableTradeTax[ram:TypeCode = "VAT"]/ram:CategoryCode'));
    // The price times the quantity is the line, but for the decimals of a price that is quoted with tax.
    const product = Number(find('.//ram:ChargeAmount')) * Number(find('.//ram:BilledQuantity')) * 100;
    const line = cents(find('.//ram:LineTotalAmount'));
    rule('PEPPOL-R120', Math.abs(product - line) <= 1 + Math.abs(Number(find('.//ram:BilledQuantity'))) * 0.0001);
  }
}

interface Sides {
  readonly seller: Find;
  readonly buyer: Find;
}

function checkBreakdown(lines: readonly Find[], parts: readonly Find[], { seller, buyer }: Sides, rule: Rule): void {
  const key = (find: Find, at: string) =>
    `${find(`${at}ram:CategoryCode`)} ${Number(find(`${at}ram:RateApplicablePercent`))}`;
  const ofLine = (find: Find) => key(find, './/ram:ApplicableTradeTax/');
  const keys = parts.map((find) => key(find, ''));
  rule('CO 18', new Set(keys).size === keys.length && lines.every((line) => keys.includes(ofLine(line))));
  for (const find of parts) {
    const category = find('ram:CategoryCode');
    const percent = Number(find('ram:RateApplicablePercent'));
    const [base, tax] = [cents(find('ram:BasisAmount')), cents(find('ram:CalculatedAmount'))];
    rule('45', !Number.isNaN(base));
    rule('46', !Number.isNaN(tax));
    rule('47', category);
    rule('48', find('ram:RateApplicablePercent') !== null);
    // As published: amounts that are rounded per line may differ by up to one unit of the currency.
    rule('CO 17', Math.abs(tax - Math.round((base * percent) / 100)) <= 100);
    const own = lines
      .filter((line) => ofLine(line) === key(find, ''))
      .map((line) => cents(line('.//ram:LineTotalAmount')));
    rule(`${category} 8`, sum(own) === base);
    rule(`${category} 5`, category === 'S' ? percent > 0 : percent === 0);
    rule(`${category} 9`, category === 'S' || tax === 0);
    const reason = find('ram:ExemptionReason') ?? find('ram:ExemptionReasonCode');
    rule(`${category} 10`, ['S', 'Z'].includes(category ?? '') ? reason === null : reason !== null);
    rule(`${category} 2`, seller('ram:SpecifiedTaxRegistration/ram:ID'));
    rule('G 2', category !== 'G' || seller('ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]'));
    rule('AE 2', category !== 'AE' || buyer('ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]'));
  }
}
