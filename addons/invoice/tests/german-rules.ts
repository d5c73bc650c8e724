import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { finder, namespaces } from './business-rules.ts';

const trade = './rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTrade';
const specification = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';

/**
 * The rules of XRechnung 3.0 that a document breaks, of those that the invoices here can concern: the national ones (`DE 15` is BR-DE-15)
 * and those of Peppol that it takes over (`R008` is PEPPOL-EN16931-R008).
 */
export function brokenGermanRules(document: XmlDocument): string[] {
  const broken = new Set<string>();
  const rule = (id: string, isKept: unknown) => {
    if (!isKept) broken.add(id);
  };
  const root = finder(document.root);
  const seller = (path: string) => root(`${trade}Agreement/ram:SellerTradeParty/${path}`);
  const buyer = (path: string) => root(`${trade}Agreement/ram:BuyerTradeParty/${path}`);
  const settled = (path: string) => root(`${trade}Settlement/${path}`);
  const contact = (path: string) => seller(`ram:DefinedTradeContact/${path}`);
  const means = settled('ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode');
  const iban = settled('.//ram:PayeePartyCreditorFinancialAccount/ram:IBANID');
  const phone = contact('ram:TelephoneUniversalCommunication/ram:CompleteNumber');
  const mail = contact('ram:EmailURIUniversalCommunication/ram:URIID');

  rule('DE 1', means);
  rule('DE 2', document.root.get(`${trade}Agreement/ram:SellerTradeParty/ram:DefinedTradeContact`, namespaces));
  rule('DE 3', seller('ram:PostalTradeAddress/ram:CityName'));
  rule('DE 4', seller('ram:PostalTradeAddress/ram:PostcodeCode'));
  rule('DE 5', contact('ram:PersonName') ?? contact('ram:DepartmentName'));
  rule('DE 6', phone);
  rule('DE 7', mail);
  rule('DE 8', buyer('ram:PostalTradeAddress/ram:CityName'));
  rule('DE 9', buyer('ram:PostalTradeAddress/ram:PostcodeCode'));
  const rates = document.find('//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax', namespaces);
  rule(
    'DE 14',
    rates.every((tax) => finder(tax as XmlElement)('ram:RateApplicablePercent') !== null),
  );
  rule('DE 15', root(`${trade}Agreement/ram:BuyerReference`));
  rule('DE 16', seller('ram:SpecifiedTaxRegistration/ram:ID'));
  const kind = root('./rsm:ExchangedDocument/ram:TypeCode') ?? '';
  rule('DE 17', ['326', '380', '384', '389', '381', '875', '876', '877'].includes(kind));
  rule('DE 19', means !== '58' || isIban(iban));
  rule('DE 21', root('.//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID') === specification);
  rule('DE 23', (means === '58') === (iban !== null));
  rule('DE 27', (phone?.match(/\d/g) ?? []).length >= 3);
  rule('DE 28', /^[^@\s.][^@\s]*[^@\s.]*@[^@\s.][^@\s]*[^@\s.]$/.test(mail ?? ''));
  const process = root('.//ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID') ?? '';
  rule('R007', /^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(process));
  rule('R008', document.find('//*[not(*) and not(normalize-space())]', namespaces).every(isDelivery));
  rule('R010', buyer('ram:URIUniversalCommunication/ram:URIID'));
  rule('R020', seller('ram:URIUniversalCommunication/ram:URIID'));
  const [own, home] = [settled('ram:InvoiceCurrencyCode'), settled('ram:TaxCurrencyCode')];
  rule('R005', home === null || home !== own);
  return [...broken];
}

/** The only element that the schema requires and that may be empty. */
function isDelivery(node: unknown): boolean {
  return (node as XmlElement).name === 'ApplicableHeaderTradeDelivery';
}

/** ISO 7064: letters are numbers from 10 on, and the whole is 1 modulo 97. */
function isIban(iban: string | null): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban ?? '')) return false;
  const turned = `${iban?.slice(4)}${iban?.slice(0, 4)}`;
  return BigInt([...turned].map((each) => Number.parseInt(each, 36)).join('')) % 97n === 1n;
}
