import type { PrintedInvoice } from './load-invoice.ts';

/**
 * The text of a payment QR code (EPC069-12, "GiroCode"), which banking apps in the SEPA area read; null where it cannot be paid that
 * way: in another currency, without an IBAN, or if nothing is due.
 */
export function paymentCode({ company_id: company, ...invoice }: PrintedInvoice): string | null {
  const { type, name, currency_id: currency, amount_total: due } = invoice;
  const iban = company.iban?.replaceAll(/\s/g, '').toUpperCase() ?? '';
  const isPayable =
    type === 'invoice' && name !== null && currency.name === 'EUR' && /^[A-Z]{2}\d{2}[A-Z\d]{10,30}$/.test(iban);
  if (!isPayable || due.lt('0.01') || due.gt('999999999.99')) return null;
  const bic = company.bic?.replaceAll(/\s/g, '').toUpperCase() ?? '';
  const payee = [bic, company.name.slice(0, 70), iban];
  return ['BCD', '002', '1', 'SCT', ...payee, `EUR${due.toFixed(2)}`, '', '', name.slice(0, 140)].join('\n');
}
