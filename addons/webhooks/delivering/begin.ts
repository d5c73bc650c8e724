import { type ActionCall, changesAfter, type Env, inNameOf } from '@kontor/addon';

/** States in which a delivery is still to be sent. */
export const open = ['waiting', 'failed'] as const;

/** From here on: what was changed before is not told, and what waits is not sent. */
export async function beginFromNow(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.model('webhook.subscription').read(ids, ['model', 'user_id', 'company_id']);
  // As the server: where a webhook is in the feed and what waits is for nobody to write. Only those that the caller reads above are
  // touched, and nothing of them is told.
  const server = env.sudo();
  for (const { id, model, user_id, company_id } of rows) {
    const owner = await inNameOf(env, user_id, company_id);
    if (!owner) continue;
    const { cursor } = await changesAfter(owner, model, 'now');
    const progress = server.model('webhook.progress');
    const [known] = await progress.search([['subscription_id', '=', id]]);
    if (known === undefined) await progress.create({ subscription_id: id, cursor });
    else await progress.write([known], { cursor, outages: 0, resume_at: null });
  }
  const deliveries = server.model('webhook.delivery');
  const waiting = await deliveries.search([
    ['subscription_id', 'in', ids],
    ['state', 'in', open],
  ]);
  if (waiting.length > 0) await deliveries.write(waiting, { state: 'skipped', problem: 'restarted' });
}

type Call = ActionCall<'webhook.subscription'>;

export async function pause({ env, records }: Call): Promise<void> {
  await env.model('webhook.subscription').write(records.ids, { state: 'off', paused_for: null });
}

export async function resume({ env, records }: Call): Promise<void> {
  await env.model('webhook.subscription').write(records.ids, { state: 'on', paused_for: null, failing_since: null });
  await leaveNobodyAlone(env, records.ids);
}

export async function startFromNow({ env, records }: Call): Promise<void> {
  await beginFromNow(env, records.ids);
}

/** Receivers that were left alone for a while are tried at once. */
export async function leaveNobodyAlone(env: Env, subscriptionIds: readonly number[]): Promise<void> {
  // As the server: where a webhook is in the feed is for nobody to write. The caller has been found to be allowed to see these, and
  // is told nothing.
  const progress = env.sudo().model('webhook.progress');
  const ids = await progress.search([['subscription_id', 'in', subscriptionIds]]);
  if (ids.length > 0) await progress.write(ids, { outages: 0, resume_at: null });
}
