import type { Env } from '@kontor/addon';

const dayMs = 86_400_000;
/** Days that deliveries are kept: successful ones, and failed ones that may be retried. */
const keptDays = { done: 14, dead: 90 };
const batch = 1_000;

/** Deletes old deliveries. Returns whether there may be more. */
export async function cleanDeliveries(env: Env): Promise<boolean> {
  const before = (days: number) => new Date(env.now.getTime() - days * dayMs).toISOString();
  const deliveries = env.model('webhook.delivery');
  const ids = await deliveries.search(
    [
      '|',
      '&',
      ['state', 'in', ['sent', 'skipped']],
      ['write_date', '<', before(keptDays.done)],
      '&',
      ['state', '=', 'dead'],
      ['write_date', '<', before(keptDays.dead)],
    ],
    { order: 'id', limit: batch },
  );
  if (ids.length > 0) await deliveries.unlink(ids);
  return ids.length === batch;
}
