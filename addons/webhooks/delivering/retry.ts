import { type ActionCall, publish, UserError, wakeQueue } from '@kontor/addon';
import { leaveNobodyAlone } from './begin.ts';

/** Brings back what was given up, and tries at once what waits for its next try. */
export async function retryDeliveries({ env, records }: ActionCall<'webhook.delivery'>): Promise<void> {
  const rows = await records.load('state', 'subscription_id.id');
  if (rows.some(({ state }) => state !== 'dead' && state !== 'failed'))
    throw new UserError('Only failed deliveries can be retried.');
  // As the server: people see deliveries and change none. They have been found to see these, and learn nothing more of them: what
  // is sent is read anew in the name of the owner.
  await env.sudo().model('webhook.delivery').write(records.ids, {
    state: 'waiting',
    attempts: 0,
    first_try: null,
    next_try: env.now.toISOString(),
    problem: null,
  });
  await leaveNobodyAlone(env, [...new Set(rows.map((row) => row.subscription_id.id))]);
  wakeQueue(env, 'webhook.delivery');
  // Deliveries are no news to anybody else; whoever looks at them sees it.
  await publish(env, 'webhooks.retried', { ids: [...records.ids] }, { model: 'webhook.delivery' });
}
