import { open, type Text, toHtml } from '@kontor/addon';
import { type Facts, missingByLaw, missingFacts } from './missing-facts.ts';

/** What is missing before an invoice is complete, with a link to the customer; null if nothing is. */
export function shortcomings(
  invoice: Facts,
  translate: (words: Text | string, module: string) => string,
): string | null {
  const say = (words: Text | string) => translate(words, 'invoice');
  const list = (facts: readonly Text[]) => facts.map(say).join(', ');
  const law = missingByLaw(invoice);
  const known = law.map(String);
  const data = missingFacts(invoice, 'factur-x').filter((fact) => !known.includes(String(fact)));
  const parts = [
    law.length > 0 ? `${say('The law asks for more on an invoice:')} ${list(law)}.` : '',
    data.length > 0 ? `${say('Without this it carries no electronic invoice:')} ${list(data)}.` : '',
  ].filter(Boolean);
  if (parts.length === 0) return null;
  const contact = invoice.address_id && open('core.partner', { view: 'form', id: invoice.address_id.id }).redirect;
  const link = contact ? ` <a href="${toHtml(contact)}">${say('Open the customer')}</a>` : '';
  const where = say('Company data are under Settings, Companies.');
  return `<p>${parts.join('<br>')}</p><p>${where}${link}</p>`;
}
