import type { Env, OutsideResult, QueueEnd, QueueRow } from '@kontor/addon';
import { pauseFor } from './pause-for.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const wait = { firstMs: 10 * secondMs, longestMs: 4 * hourMs };
/** The longest pause for a receiver that does not answer. */
const rest = { firstMs: 5 * secondMs, longestMs: 5 * 60 * secondMs };
/** A webhook that fails for this long without a success is paused. */
const pauseAfterMs = 3 * dayMs;
const kept = 500;

/** Ten seconds, tripled with each try, up to four hours; varied by a fifth, so that many do not come at once. */
export function retryAfterMs(attempts: number, random = Math.random()): number {
  const plain = Math.min(wait.longestMs, wait.firstMs * 3 ** (attempts - 1));
  return Math.round(plain * (0.8 + 0.4 * random));
}

/** The pause that the receiver requests: seconds or a date; null if it is absent or unreadable. */
export function retryAfterHeader(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * secondMs : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), dayMs);
}

interface Ended {
  readonly isSent: boolean;
  readonly isOutage: boolean;
  readonly isGone: boolean;
  readonly asksMs: number | null;
  readonly values: {
    readonly status: number | null;
    readonly answer: string | null;
    readonly ms: number;
    readonly problem: 'status' | 'redirect' | 'refused' | 'unreachable' | 'late' | null;
  };
}

/** The meaning of a result. No answer, too many requests and no service concern the receiver; the rest concerns this delivery. */
export function meaningOf(result: OutsideResult, now: Date): Ended {
  if (result.kind === 'failure') {
    const { reason: problem, detail: answer, ms } = result;
    return {
      isSent: false,
      isOutage: true,
      isGone: false,
      asksMs: null,
      values: { status: null, answer, ms, problem },
    };
  }
  const { status, ms, headers } = result;
  const isSent = status >= 200 && status < 300;
  const problem = isSent ? null : status >= 300 && status < 400 ? 'redirect' : 'status';
  return {
    isSent,
    isOutage: status === 429 || status === 503,
    isGone: status === 410,
    asksMs: isSent ? null : retryAfterHeader(headers['retry-after'], now),
    values: { status, answer: result.text.slice(0, kept) || null, ms, problem },
  };
}

/** Stores the result of a request, and returns the outcome of the delivery. */
export async function finish(env: Env, { id, attempts }: QueueRow, result: OutsideResult): Promise<QueueEnd> {
  const deliveries = env.model('webhook.delivery');
  const [row] = await deliveries.read([id], ['subscription_id', 'subscription_id.failing_since']);
  if (!row) return { is: 'left' };
  const { isSent, isGone, asksMs, isOutage, values } = meaningOf(result, env.now);
  const failingSince = row['subscription_id.failing_since'];
  if (isSent) {
    await deliveries.write([id], { ...values, sent_at: env.now.toISOString() });
    await noteWell(env, row.subscription_id, failingSince !== null);
    return { is: 'done' };
  }
  await deliveries.write([id], values);
  await noteFailure(env, row.subscription_id, { isGone, asksMs, isOutage }, failingSince);
  const waitMs = Math.max(retryAfterMs(attempts), asksMs ?? 0);
  return { is: isGone ? 'dead' : 'again', at: new Date(env.now.getTime() + waitMs) };
}

async function noteWell(env: Env, subscriptionId: number, wasFailing: boolean): Promise<void> {
  const progress = env.model('webhook.progress');
  const resting = await progress.search([
    ['subscription_id', '=', subscriptionId],
    ['outages', '>', 0],
  ]);
  if (resting.length > 0) await progress.write(resting, { outages: 0, resume_at: null });
  if (wasFailing) await env.model('webhook.subscription').write([subscriptionId], { failing_since: null });
}

type Failure = Pick<Ended, 'isOutage' | 'isGone' | 'asksMs'>;

async function noteFailure(env: Env, subscriptionId: number, ended: Failure, since: string | null): Promise<void> {
  if (ended.isOutage) {
    const progress = env.model('webhook.progress');
    const [row] = await progress.searchRead([['subscription_id', '=', subscriptionId]], ['outages']);
    const restMs = Math.max(Math.min(rest.longestMs, rest.firstMs * 2 ** (row?.outages ?? 0)), ended.asksMs ?? 0);
    const resumeAt = new Date(env.now.getTime() + restMs).toISOString();
    if (row) await progress.write([row.id], { outages: row.outages + 1, resume_at: resumeAt });
  }
  if (ended.isGone) return pauseFor(env, subscriptionId, 'gone');
  if (since === null) {
    await env.model('webhook.subscription').write([subscriptionId], { failing_since: env.now.toISOString() });
  } else if (env.now.getTime() - Date.parse(since) >= pauseAfterMs) {
    await pauseFor(env, subscriptionId, 'failing');
  }
}
