import { type Env, type NoticeSpec, tellPerson, text } from '@kontor/addon';

export const pausedNotice: NoticeSpec = {
  name: 'webhooks.paused',
  label: text('One of your webhooks is paused'),
  usual: 'both',
};

const reasons = {
  failing: text('The receiver failed for days.'),
  gone: text('The receiver answered that it no longer exists.'),
  owner: text('Its owner can no longer sign in, or not in this company.'),
  rights: text('Its owner may no longer read its records.'),
} as const;

/**
 * Pauses a webhook and notifies its owner. Pending deliveries stay and are sent when it resumes. The env is that of the
 * worker.
 */
export async function pauseFor(env: Env, id: number, reason: keyof typeof reasons): Promise<void> {
  const subscriptions = env.model('webhook.subscription');
  await subscriptions.write([id], { state: 'paused', paused_for: reason });
  const [row] = await subscriptions.read([id], ['name', 'user_id']);
  if (!row) return;
  const { name, user_id: owner } = row;
  await tellPerson(env, owner, pausedNotice, () => ({
    kind: 'error',
    title: text('The webhook {name} is paused', { name }),
    body: reasons[reason],
    about: { model: 'webhook.subscription', id, name },
    mail: { paragraphs: [reasons[reason]] },
  }));
}
