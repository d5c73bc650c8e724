import {
  defineQueue,
  type Env,
  inNameOf,
  KontorError,
  type OutsideResult,
  outsideRequests,
  type QueueEnd,
} from '@kontor/addon';
import { finish, retryAfterMs } from './finish.ts';
import { bodyOf, type Message, messageOf, recordJson } from './message.ts';
import { pauseFor } from './pause-for.ts';

export const requestLimits = { timeoutMs: 15_000, maxBytes: 2_000 };

/** Concurrency limits over all processes: in total, and per host. */
const most = { inAll: 16, toHost: 4 };
const dayMs = 86_400_000;

interface Sending {
  readonly url: string;
  readonly message: Message;
  readonly request: ReturnType<typeof outsideRequests>;
}

/** Sends deliveries, those of one record one after another. */
export const deliveries = defineQueue<Sending, OutsideResult>({
  name: 'deliver',
  model: 'webhook.delivery',
  states: { waiting: 'waiting', again: 'failed', done: 'sent', dead: 'dead' },
  due: async (env) => {
    const awake = await activeWebhooks(env);
    return awake.length === 0 ? null : [['subscription_id', 'in', awake]];
  },
  orderKey: ['subscription_id', 'res_id'],
  room: {
    ...{ perProcess: most.inAll, inAll: most.inAll },
    targets: [
      { field: 'host', most: most.toHost },
      { field: 'subscription_id', most: mostTo },
    ],
  },
  // Twelve tries in about a day; then it is given up.
  tries: { most: 12, withinMs: dayMs, waitMs: (attempt) => retryAfterMs(attempt) },
  prepare: (env, { id }) => prepare(env, id),
  run: async ({ url, message, request }, signal) => {
    const result = await request({ url, ...message, ...requestLimits, signal });
    // A request that a stop interrupted does not count: another process sends it.
    if (result.kind === 'failure') signal.throwIfAborted();
    return result;
  },
  end: finish,
});

/** Active webhooks whose receivers are not in a back-off pause. */
async function activeWebhooks(env: Env): Promise<readonly number[]> {
  const now = env.now.toISOString();
  const progress = await env
    .model('webhook.progress')
    .searchRead(
      [['subscription_id.state', '=', 'on'], '|', ['resume_at', '=', null], ['resume_at', '<=', now]],
      ['subscription_id'],
    );
  return progress.map((row) => row.subscription_id);
}

/** A receiver that did not answer the last time is tried with one delivery, once its pause is over. */
async function mostTo(env: Env, subscription: string): Promise<number> {
  const failing = await env.model('webhook.progress').count([
    ['subscription_id', '=', Number(subscription)],
    ['outages', '>', 0],
  ]);
  return failing > 0 ? 1 : most.inAll;
}

const sent = [
  'key',
  'event',
  'model',
  'res_id',
  'changed',
  'change_set',
  'happened_at',
  'subscription_id',
  'subscription_id.url',
  'subscription_id.payload',
  'subscription_id.user_id',
  'subscription_id.company_id',
  'subscription_id.secret',
  'subscription_id.secret_before',
  'subscription_id.secret_before_until',
] as const;

/** Builds the message, with the record as its owner may read it now. */
async function prepare(env: Env, id: number): Promise<{ readonly work: Sending } | QueueEnd> {
  const [row] = await env.model('webhook.delivery').read([id], sent);
  if (!row) return { is: 'left' };
  const owner = await inNameOf(env, row['subscription_id.user_id'] ?? 0, row['subscription_id.company_id']);
  const record = owner ? await readFor(owner, row) : 'no owner';
  if (record === 'no owner' || record === 'refused') {
    await pauseFor(env, row.subscription_id, record === 'refused' ? 'rights' : 'owner');
    return { is: 'left' };
  }
  if (record === 'gone') {
    await env.model('webhook.delivery').write([id], { problem: 'gone' });
    return { is: 'done', state: 'skipped' };
  }
  const secrets = {
    secret: row['subscription_id.secret'],
    secret_before: row['subscription_id.secret_before'],
    secret_before_until: row['subscription_id.secret_before_until'],
  };
  const message = messageOf(secrets, row.key, bodyOf(row.subscription_id, row, record), env.now);
  return { work: { url: row['subscription_id.url'] ?? '', message, request: outsideRequests(env) } };
}

interface Sent {
  readonly event: 'create' | 'write' | 'delete';
  readonly model: string;
  readonly res_id: number;
  readonly 'subscription_id.payload': unknown;
}

async function readFor(owner: Env, row: Sent): Promise<string | null | 'gone' | 'refused'> {
  if (row.event === 'delete') return null;
  try {
    return (await recordJson(owner, row.model, row.res_id, row['subscription_id.payload'])) ?? 'gone';
  } catch (error) {
    if (error instanceof KontorError) return 'refused';
    throw error;
  }
}
