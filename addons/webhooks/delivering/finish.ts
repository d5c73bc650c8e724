import type { Env, OutsideResult } from '@kontor/addon';
import { type Claim, wakeNext } from './claim-due.ts';
import { pauseFor } from './pause-for.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Twelve tries in about a day; then it is given up. */
const tries = { most: 12, withinMs: dayMs, firstMs: 10 * secondMs, longestMs: 4 * hourMs };
/** A receiver that gives no answer is left alone for so long, at most. */
const rest = { firstMs: 5 * secondMs, longestMs: 5 * 60 * secondMs };
/** A webhook that fails for so long without a success in between is paused. */
const pauseAfterMs = 3 * dayMs;
const kept = 500;

/** Ten seconds, then three times as long each time, up to four hours; a fifth more or less, so that many do not come at once. */
export function retryAfterMs(attempts: number, random = Math.random()): number {
  const plain = Math.min(tries.longestMs, tries.firstMs * 3 ** (attempts - 1));
  return Math.round(plain * (0.8 + 0.4 * random));
}

/** How long the receiver asks to be left alone: seconds or a date; null where it says nothing that can be read. */
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

/** What a result means. No answer, too many requests and no service are about the receiver; the rest is about this delivery. */
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

/** Writes down what came of a request; the next of the record goes on once this one is over. */
export async function finish(env: Env, claim: Claim, result: OutsideResult): Promise<void> {
  const deliveries = env.model('webhook.delivery');
  const [row] = await deliveries.searchRead(
    [
      ['id', '=', claim.id],
      ['state', 'in', 'pending'],
    ],
    ['attempts', 'first_try', 'subscription_id.failing_since'],
  );
  if (!row) return;
  const ended = meaningOf(result, env.now);
  const now = env.now.toISOString();
  const attempts = row.attempts + 1;
  const tried = { ...ended.values, attempts, first_try: row.first_try ?? now, claimed_until: null };
  const failingSince = row['subscription_id.failing_since'];
  if (ended.isSent) {
    await deliveries.write([claim.id], { ...tried, state: 'sent', sent_at: now });
    await noteWell(env, claim.subscriptionId, failingSince !== null);
  } else {
    const isDead =
      ended.isGone || attempts >= tries.most || env.now.getTime() - Date.parse(tried.first_try) >= tries.withinMs;
    const waitMs = Math.max(retryAfterMs(attempts), ended.asksMs ?? 0);
    const next = new Date(env.now.getTime() + waitMs).toISOString();
    await deliveries.write([claim.id], { ...tried, state: isDead ? 'dead' : 'failed', next_try: next });
    await noteFailure(env, claim.subscriptionId, ended, failingSince);
    if (!isDead) return;
  }
  await wakeNext(env, claim.subscriptionId, claim.resId);
}

/** Nothing came of it: as if it had not been taken. */
export async function release(env: Env, claim: Claim): Promise<void> {
  await env.model('webhook.delivery').write([claim.id], { claimed_until: null });
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

async function noteFailure(env: Env, subscriptionId: number, ended: Ended, since: string | null): Promise<void> {
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
