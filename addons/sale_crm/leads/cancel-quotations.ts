import type { Env } from '@kontor/addon';

/** Quotations of a lost opportunity are cancelled with it, whoever made them; orders that were confirmed stay. */
export async function cancelQuotations(env: Env, leadIds: readonly number[]): Promise<void> {
  const orders = env.sudo().model('sale.order');
  const open = await orders.search([
    ['lead_id', 'in', leadIds],
    ['state', 'in', ['draft', 'sent']],
  ]);
  if (open.length > 0) await orders.write(open, { state: 'cancel' });
}
