import type { PrintedInvoice } from '../document/load-invoice.ts';
import { crossIndustryInvoice } from './cross-industry-invoice.ts';
import { missingFacts } from './missing-facts.ts';

const fileName = 'factur-x.xml';
const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The data that the PDF of a posted invoice carries (Factur-X, ZUGFeRD); none if the standard needs more than is known. */
export function facturX(invoice: PrintedInvoice) {
  if (invoice.state !== 'posted' || missingFacts(invoice, 'factur-x').length > 0) return {};
  const carries = {
    ...{ name: fileName, mimetype: 'text/xml', description: 'Factur-X', metadata },
    relationship: 'Alternative',
    content: Buffer.from(crossIndustryInvoice(invoice, 'factur-x')),
  } as const;
  return { carries };
}

const properties = {
  DocumentFileName: ['The name of the embedded XML document', fileName],
  DocumentType: ['The type of the hybrid document', 'INVOICE'],
  Version: ['The version of the Factur-X data', '1.0'],
  ConformanceLevel: ['The conformance level of the Factur-X data', 'EN 16931'],
} as const;

/** PDF/A knows only its own properties and those that are described like this. */
const metadata = [
  `<rdf:Description rdf:about="" xmlns:fx="${namespace}">`,
  ...Object.entries(properties).map(([name, [, value]]) => `<fx:${name}>${value}</fx:${name}>`),
  '</rdf:Description><rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"',
  ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">',
  '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">',
  '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>',
  `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>`,
  '<pdfaSchema:property><rdf:Seq>',
  ...Object.entries(properties).map(
    ([name, [description]]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>` +
      `<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  ),
  '</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>',
].join('');
