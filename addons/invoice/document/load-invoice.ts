import { ratesOn } from '@addons/base';
import { rateBetween } from '@addons/product';
import { placePaths, senderPaths, taxedPaths, taxSums } from '@addons/sale';
import { type Decimal, type Env, type Loaded, sum, withPrefix } from '@kontor/addon';

const currency = ['name', 'symbol', 'decimal_places'] as const;
const paths = [
  ...(['name', 'type', 'state', 'address', 'vat'] as const),
  ...(['invoice_date', 'delivery_date', 'delivery_end', 'due_date'] as const),
  ...(['client_reference', 'buyer_reference', 'tax_treatment', 'tax_note', 'tax_rounding', 'note', 'reason'] as const),
  ...(['amount_untaxed', 'amount_total', 'amount_residual'] as const),
  ...withPrefix('reversed_id', ['name', 'invoice_date']),
  ...withPrefix('currency_id', currency),
  ...withPrefix('partner_id', ['name', 'lang', 'email']),
  ...withPrefix('address_id', [...placePaths, 'email']),
  ...withPrefix('user_id', ['name', 'email', 'signature']),
  ...withPrefix('company_id', senderPaths),
  ...withPrefix('company_id.currency_id', currency),
  ...withPrefix('line_ids', [...taxedPaths, 'name', 'line_type', 'uom_id.name', 'uom_id.unece_code', 'price_subtotal']),
  'line_ids.tax_ids.name',
] as const;

type Stored = Loaded<'invoice.invoice', (typeof paths)[number]>;

export type PrintedInvoice = Stored & {
  readonly taxes: ReturnType<typeof taxSums>;
  readonly homeTax: Awaited<ReturnType<typeof homeTaxOf>>;
};

/** The content of a printed invoice, read with the rights of the user who prints it. */
export async function loadInvoice(env: Env, id: number): Promise<PrintedInvoice> {
  const [customer] = await env.model('invoice.invoice').load([id], ['partner_id.lang']);
  const printing = env.inLanguage(customer?.partner_id.lang ?? 'en_US');
  const [invoice] = await printing.model('invoice.invoice').load([id], [...paths], { inWords: true });
  if (invoice === undefined) throw new Error(`Invoice ${id} was not loaded.`);
  const taxes = taxSums(invoice.line_ids, invoice.currency_id, invoice.tax_rounding ?? 'line');
  const tax = sum(taxes, ({ amount }) => amount);
  return { ...invoice, taxes, homeTax: await homeTaxOf(env, invoice, tax) };
}

/**
 * The tax of an invoice in another currency, in that of the company, at the rates of the day of the invoice; null if they are the same, or
 * no rate is known. As the server: the rates of currencies are no secret.
 */
async function homeTaxOf(env: Env, { currency_id: own, company_id: company, invoice_date: day }: Stored, tax: Decimal) {
  const currency = company.currency_id;
  if (currency.id === own.id) return null;
  const rates = await ratesOn(env.sudo(), [own.id, currency.id], day);
  const rated = ({ id }: { readonly id: number }) => ({ id, rate: rates.get(id) ?? null });
  /** What one unit of the invoice's currency is worth in the company's. */
  const rate = rateBetween(rated(own), rated(currency));
  return rate && { currency, rate, amount: tax.times(rate).round(currency.decimal_places) };
}

/** The language of the reader. */
export function langOf({ partner_id: customer }: Pick<Stored, 'partner_id'>): string {
  return customer.lang ?? 'en_US';
}

/** The number of an invoice as the name of a file. */
export function fileName(number: string | null): string {
  return (number ?? '').replaceAll(/[^\p{L}\p{N}.-]+/gu, '_');
}
