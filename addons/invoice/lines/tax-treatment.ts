import { isTaxId, union } from '@addons/sale';
import type { Draft } from '@kontor/addon';

export const treatmentPaths = [
  ...(['partner_id.tax_exempt', 'partner_id.vat', 'partner_id.country_id.code'] as const),
  ...(['company_id.country_id.code', 'tax_position_id.treatment'] as const),
] as const;
type Taxed = Draft<'invoice.invoice', (typeof treatmentPaths)[number]>;

/** That of the tax position, otherwise why a customer who is exempt from tax pays none; the document has to say it. */
export function taxTreatment({ partner_id: customer, company_id: company, tax_position_id: position }: Taxed) {
  if (position?.treatment) return position.treatment;
  if (!customer?.tax_exempt) return 'normal';
  const [from, to] = [company?.country_id?.code, customer.country_id?.code];
  if (!from || !to || from === to) return 'exempt';
  if (!union.has(from) || !union.has(to)) return 'export';
  return isTaxId(customer.vat, to) ? 'reverse' : 'exempt';
}
