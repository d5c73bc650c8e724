import { type ActionCall, publish, UserError, wakeQueue } from '@kontor/addon';
import { leaveNobodyAlone } from './begin.ts';

/** Retries deliveries that were given up, and sends those waiting for their next try at once. */
export async function retryDeliveries({ env, records }: ActionCall<'webhook.delivery'>): Promise<void> {
  const rows = await records.load('state', 'subscription_id.id');
  if (rows.some(({ state }) => state !== 'dead' && state !== 'failed'))
    throw new UserError('Only failed deliveries can be retried.');
  // As the server: users see deliveries but cannot change them. They may see these, and learn nothing more of them: the content is
  // read again as the owner.
  await env.sudo().model('webhook.delivery').write(records.ids, {
    state: 'waiting',
    attempts: 0,
    first_try: null,
    next_try: env.now.toISOString(),
    problem: null,
  });
  await leaveNobodyAlone(env, [...new Set(rows.map((row) => row.subscription_id.id))]);
  wakeQueue(env, 'webhook.delivery');
  // Deliveries do not concern others; users who look at them see the change.
  await publish(env, 'webhooks.retried', { ids: [...records.ids] }, { model: 'webhook.delivery' });
}
