import { withPrefix } from '@addons/product';
import { placePaths, senderPaths, taxedPaths, taxSums } from '@addons/sale';
import type { Env, Loaded } from '@kontor/addon';

const paths = [
  'name',
  'type',
  'state',
  'address',
  'vat',
  'invoice_date',
  'delivery_date',
  'delivery_end',
  'due_date',
  'client_reference',
  'tax_treatment',
  'tax_note',
  'tax_rounding',
  'note',
  'reason',
  'amount_untaxed',
  'amount_total',
  'amount_residual',
  'reversed_id.name',
  'reversed_id.invoice_date',
  'currency_id.name',
  'currency_id.symbol',
  'currency_id.decimal_places',
  'partner_id.name',
  'partner_id.lang',
  'partner_id.email',
  'buyer_reference',
  ...withPrefix('address_id', [...placePaths, 'email']),
  'user_id.name',
  'user_id.email',
  'user_id.signature',
  ...withPrefix('company_id', senderPaths),
  ...withPrefix('line_ids', taxedPaths),
  'line_ids.name',
  'line_ids.line_type',
  'line_ids.uom_id.name',
  'line_ids.uom_id.unece_code',
  'line_ids.price_subtotal',
  'line_ids.tax_ids.name',
] as const;

export type PrintedInvoice = Loaded<'invoice.invoice', (typeof paths)[number]> & {
  readonly taxes: ReturnType<typeof taxSums>;
};

/** The content of a printed invoice, read with the rights of the user who prints it. */
export async function loadInvoice(env: Env, id: number): Promise<PrintedInvoice> {
  const [invoice] = await env.model('invoice.invoice').load([id], [...paths]);
  if (invoice === undefined) throw new Error(`Invoice ${id} was not loaded.`);
  return { ...invoice, taxes: taxSums(invoice.line_ids, invoice.currency_id, invoice.tax_rounding ?? 'line') };
}

/** The language of the reader. */
export function langOf({ partner_id: customer }: PrintedInvoice): string {
  return customer.lang ?? 'en_US';
}
