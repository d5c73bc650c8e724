import { convertAmounts } from '@addons/base';
import { UserError, type WriteCall } from '@kontor/addon';

const lines = { field: 'line_ids', model: 'invoice.line', amounts: ['price_unit'] };

/** Converts the prices of drafts that get another currency, by themselves or with another company. Lines from orders have that of the order. */
export async function convertInvoice({ env, ids, values }: WriteCall<'invoice.invoice'>) {
  const server = env.sudo();
  const [company] = values.company_id
    ? await server.model('core.company').read([values.company_id], ['currency_id'])
    : [];
  const currency_id = values.currency_id ?? company?.currency_id;
  if (!currency_id) return values;
  const ordered = await server.model('invoice.line').count([
    ['invoice_id', 'in', [...ids]],
    ['order_id', '!=', null],
    ['currency_id', '!=', currency_id],
  ]);
  if (ordered > 0)
    throw new UserError('The lines of this invoice come from an order. They stay in the currency of the order.');
  const write = { env, ids, values: { ...values, currency_id } };
  return convertAmounts(write, { model: 'invoice.invoice', lines, date: 'invoice_date' });
}
