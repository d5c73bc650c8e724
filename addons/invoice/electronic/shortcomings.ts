import { type Draft, open, type Text } from '@kontor/addon';
import { missingByLaw, missingFacts } from './missing-facts.ts';

/** The paths that the law and the standard ask about. */
export const factPaths = [
  ...(['type', 'state', 'tax_treatment', 'vat', 'buyer_reference', 'delivery_date', 'partner_id.email'] as const),
  'currency_id.decimal_places',
  ...(['company_id.vat', 'company_id.tax_number', 'company_id.phone', 'company_id.email'] as const),
  ...(['company_id.street', 'company_id.zip', 'company_id.city', 'company_id.country_id.code'] as const),
  ...(['address_id.street', 'address_id.zip', 'address_id.city', 'address_id.country_id.code'] as const),
  ...(['address_id.email', 'line_ids.line_type', 'line_ids.is_down_payment', 'line_ids.tax_ids.percent'] as const),
] as const;
type Facts = Draft<'invoice.invoice', (typeof factPaths)[number]>;

export function eInvoice(invoice: Facts): 'ready' | 'missing' {
  return missingFacts(invoice, 'factur-x').length === 0 ? 'ready' : 'missing';
}

/** What is missing before an invoice is complete, with a link to the customer; null if nothing is. */
export function shortcomings(invoice: Facts, say: (words: Text | string) => string): string | null {
  const list = (facts: readonly Text[]) => facts.map((fact) => say(fact)).join(', ');
  const law = missingByLaw(invoice);
  const known = law.map(String);
  const data = missingFacts(invoice, 'factur-x').filter((fact) => !known.includes(String(fact)));
  const parts = [
    law.length > 0 ? `${say('The law asks for more on an invoice:')} ${list(law)}.` : '',
    data.length > 0 ? `${say('Without this it carries no electronic invoice:')} ${list(data)}.` : '',
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const contact = invoice.address_id?.id;
  const link = contact ? ` <a href="${pathOf(contact)}">${say('Open the customer')}</a>` : '';
  const where = say('Company data are under Settings, Companies.');
  return `<p>${parts.join('<br>')}</p><p>${where}${link}</p>`;
}

function pathOf(contact: number): string {
  return open('core.partner', { view: 'form', id: contact }).redirect.replaceAll('&', '&amp;');
}
