import { type ActionCall, changesAfter, type Env, inNameOf } from '@kontor/addon';

/** States in which a delivery is still to be sent. */
export const open = ['waiting', 'failed'] as const;

/** From now on: earlier changes are not reported, and pending deliveries are not sent. */
export async function beginFromNow(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.model('webhook.subscription').read(ids, ['model', 'user_id', 'company_id']);
  // As the server: the position in the feed and pending deliveries cannot be written. Only webhooks that the caller reads above are
  // touched, and nothing of them is revealed.
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

/** Receivers in a back-off pause are tried at once. */
export async function leaveNobodyAlone(env: Env, subscriptionIds: readonly number[]): Promise<void> {
  // As the server: the position in the feed cannot be written. The caller may see these webhooks, and nothing is revealed.
  const progress = env.sudo().model('webhook.progress');
  const ids = await progress.search([['subscription_id', 'in', subscriptionIds]]);
  if (ids.length > 0) await progress.write(ids, { outages: 0, resume_at: null });
}
