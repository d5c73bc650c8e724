import { datedTaxPaths, priceBetween, validTax } from '@addons/sale';
import { type Env, withPrefix } from '@kontor/addon';

const paths = [
  ...(['invoice_date', 'delivery_date', 'line_ids.price_unit'] as const),
  ...withPrefix('line_ids.tax_ids', datedTaxPaths),
] as const;

/** Taxes that were copied to a draft and have ended by the day of its delivery are replaced by those that follow them. */
export async function renewTaxes(env: Env, invoiceId: number): Promise<void> {
  const [invoice] = await env.model('invoice.invoice').load([invoiceId], [...paths]);
  if (!invoice) return;
  const day = invoice.delivery_date ?? invoice.invoice_date;
  for (const { id, price_unit: price, tax_ids: taxes } of invoice.line_ids) {
    const valid = taxes.map((tax) => validTax(tax, day));
    if (valid.every((tax, at) => tax.id === taxes[at]?.id)) continue;
    await env.model('invoice.line').write([id], {
      tax_ids: [['set', valid.map((tax) => tax.id)]],
      price_unit: priceBetween(price, taxes, valid),
    });
  }
}
