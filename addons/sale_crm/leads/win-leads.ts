import type { Env } from '@kontor/addon';

/**
 * A customer who orders is won. It follows from the order, so it needs no right on the opportunity: whoever may confirm
 * may cause it.
 */
export async function winLeads(env: Env, orderIds: readonly number[]): Promise<void> {
  const leads = env.sudo().model('crm.lead');
  const open = await leads.search([
    ['order_ids', 'in', orderIds],
    ['type', '=', 'opportunity'],
    ['state', '=', 'open'],
  ]);
  if (open.length > 0) await leads.write(open, { state: 'won' });
}
