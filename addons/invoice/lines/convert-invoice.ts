import { convertAmounts } from '@addons/base';
import { type CastValues, type Env, UserError } from '@kontor/addon';

type Values = { readonly [Name in keyof CastValues<'invoice.invoice'>]: CastValues<'invoice.invoice'>[Name] | null };
interface Write {
  readonly env: Env;
  readonly ids: readonly number[];
  readonly values: Values;
}

/** Converts the prices of drafts that get another currency, by themselves or with another company. Lines from orders have that of the order. */
export async function convertInvoice({ env, ids, values }: Write): Promise<Values> {
  const currency = values.currency_id ?? (await currencyOf(env, values.company_id ?? null));
  if (currency === null) return values;
  const server = env.sudo();
  const ordered = await server.model('invoice.line').search(
    [
      ['invoice_id', 'in', [...ids]],
      ['order_id', '!=', null],
      ['currency_id', '!=', currency],
    ],
    { limit: 1 },
  );
  if (ordered.length > 0)
    throw new UserError('The lines of this invoice come from an order. They stay in the currency of the order.');
  const lines = { field: 'line_ids', model: 'invoice.line', amounts: ['price_unit'] };
  return convertAmounts(
    { env, ids, values: { ...values, currency_id: currency } },
    { model: 'invoice.invoice', lines, date: 'invoice_date' },
  );
}

async function currencyOf(env: Env, company: number | null): Promise<number | null> {
  if (company === null) return null;
  const [row] = await env.sudo().model('core.company').read([company], ['currency_id']);
  return row?.currency_id ?? null;
}
