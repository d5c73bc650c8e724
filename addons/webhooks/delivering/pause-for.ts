import {
  composeMail,
  type Env,
  isMailAddress,
  type NoticeSpec,
  noticeWays,
  notify,
  queueMail,
  recordLink,
  recordPath,
  text,
  wordsFor,
} from '@kontor/addon';

export const pausedNotice: NoticeSpec = {
  name: 'webhooks.paused',
  label: text('A webhook of yours is paused'),
  usual: 'both',
};

const reasons = {
  failing: text('The receiver failed for days.'),
  gone: text('The receiver says that it is gone.'),
  owner: text('Its owner can no longer sign in, or not in this company.'),
  rights: text('Its owner may no longer read what it tells of.'),
} as const;

/** Stops a webhook and tells its owner why. What waits stays and is sent when it goes on. The env is that of the worker. */
export async function pauseFor(env: Env, id: number, reason: keyof typeof reasons): Promise<void> {
  await env.model('webhook.subscription').write([id], { state: 'paused', paused_for: reason });
  const [row] = await env
    .model('webhook.subscription')
    .read([id], ['name', 'user_id', 'user_id.email', 'user_id.active']);
  if (!row?.['user_id.active']) return;
  const ways = (await noticeWays(env, [row.user_id], pausedNotice)).get(row.user_id);
  const words = await wordsFor(env, row.user_id, 'webhooks');
  const title = text('The webhook {name} is paused', { name: row.name });
  if (ways?.inClient) {
    const body = words.say(reasons[reason]);
    const href = recordPath('webhook.subscription', id);
    await notify(env, row.user_id, { kind: 'error', title: words.say(title), body, href });
  }
  const to = row['user_id.email'];
  if (!ways?.byMail || !to || !isMailAddress(to)) return;
  const href = await recordLink(env, 'webhook.subscription', id);
  const button = href ? { label: text('Open {name}', { name: row.name }), href } : null;
  await queueMail(env, composeMail({ to, words, subject: title, paragraphs: [reasons[reason]], button }));
}
