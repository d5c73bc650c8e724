import { withPrefix } from '@addons/product';
import type { Env, Loaded } from '@kontor/addon';
import { amountPaths, type TaxSum, taxSums } from '../lines/line-amounts.ts';

const address = ['name', 'street', 'street2', 'zip', 'city', 'country_id.name', 'country_id.code', 'vat'] as const;
const paths = [
  'name',
  'state',
  'date_order',
  'validity_date',
  'client_reference',
  'payment_days',
  'note',
  'amount_untaxed',
  'amount_total',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'user_id.name',
  'user_id.email',
  ...withPrefix('company_id', address),
  ...withPrefix('company_id', ['email', 'phone', 'website', 'logo', 'tax_number', 'registration']),
  ...withPrefix('company_id', ['bank_name', 'iban', 'bic']),
  'partner_id.lang',
  'partner_id.parent_id.name',
  ...withPrefix('partner_id', address),
  ...withPrefix('line_ids', amountPaths),
  'line_ids.name',
  'line_ids.line_type',
  'line_ids.uom_id.name',
  'line_ids.price_subtotal',
  'line_ids.tax_ids.name',
] as const;

export type Quotation = Loaded<'sale.order', (typeof paths)[number]> & {
  readonly taxes: readonly TaxSum[];
};

/** The content of a printed quotation, read with the rights of the user who prints it. */
export async function loadQuotation(env: Env, id: number): Promise<Quotation> {
  const [order] = await env.model('sale.order').load([id], [...paths]);
  if (order === undefined) throw new Error(`Order ${id} was not loaded.`);
  return { ...order, taxes: taxSums(order.line_ids, order.currency_id) };
}

/** The name of the file. */
export function pdfName(number: string): string {
  return `${number.replaceAll(/[^\w.-]+/g, '_')}.pdf`;
}
