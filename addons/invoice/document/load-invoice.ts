import { ratesOn } from '@addons/base';
import { conversionRate, withPrefix } from '@addons/product';
import { placePaths, senderPaths, taxedPaths, taxSums } from '@addons/sale';
import { type Decimal, type Env, type Loaded, sum } from '@kontor/addon';

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
  'company_id.currency_id.name',
  'company_id.currency_id.symbol',
  'company_id.currency_id.decimal_places',
  ...withPrefix('line_ids', taxedPaths),
  'line_ids.name',
  'line_ids.line_type',
  'line_ids.uom_id.name',
  'line_ids.uom_id.unece_code',
  'line_ids.price_subtotal',
  'line_ids.tax_ids.name',
] as const;

interface Currency {
  readonly id: number;
  readonly name: string;
  readonly symbol: string;
  readonly decimal_places: number;
}

/** The tax of an invoice in another currency, in that of the company. */
export interface HomeTax {
  readonly currency: Currency;
  readonly amount: Decimal;
  /** What one unit of the invoice's currency is worth in the company's. */
  readonly rate: Decimal;
}

export type PrintedInvoice = Loaded<'invoice.invoice', (typeof paths)[number]> & {
  readonly taxes: ReturnType<typeof taxSums>;
  /** Null: it is in the currency of the company, or no rate is known. */
  readonly homeTax: HomeTax | null;
};

/** The content of a printed invoice, read with the rights of the user who prints it. */
export async function loadInvoice(env: Env, id: number): Promise<PrintedInvoice> {
  const [customer] = await env.model('invoice.invoice').load([id], ['partner_id.lang']);
  const printing = env.inLanguage(customer?.partner_id.lang ?? 'en_US');
  const [invoice] = await printing.model('invoice.invoice').load([id], [...paths], { inWords: true });
  if (invoice === undefined) throw new Error(`Invoice ${id} was not loaded.`);
  const taxes = taxSums(invoice.line_ids, invoice.currency_id, invoice.tax_rounding ?? 'line');
  const { currency_id: own, company_id: company, invoice_date: day } = invoice;
  const tax = sum(taxes, ({ amount }) => amount);
  return { ...invoice, taxes, homeTax: await homeTaxOf(env, tax, own, company.currency_id as Currency, day) };
}

/** At the rates of the day of the invoice. As the server: the rates of currencies are no secret. */
async function homeTaxOf(
  env: Env,
  tax: Decimal,
  own: { readonly id: number },
  home: Currency | null,
  day: string,
): Promise<HomeTax | null> {
  if (home === null || home.id === own.id) return null;
  const rates = await ratesOn(env.sudo(), [own.id, home.id], day);
  const rated = ({ id }: { readonly id: number }) => ({ id, rate: rates.get(id) ?? null });
  const rate = conversionRate({ from: rated(own), company: rated(own), to: rated(home), pricelist: null });
  return rate && { currency: home, rate, amount: tax.times(rate).round(home.decimal_places) };
}

/** The language of the reader. */
export function langOf({ partner_id: customer }: PrintedInvoice): string {
  return customer.lang ?? 'en_US';
}
