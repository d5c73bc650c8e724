import { type Env, inNameOf, KontorError } from '@kontor/addon';
import { open } from './begin.ts';
import { bodyOf, type Message, messageOf, recordJson } from './message.ts';
import { pauseFor } from './pause-for.ts';

/** At once in all processes together, and to one host. */
const most = { inAll: 16, toHost: 4 };
/** Looked at together. */
const batch = 200;
/** Longer than a request can take, so that one that is claimed is sent by nobody else meanwhile. */
const leaseMs = 60_000;

export interface Claim {
  readonly id: number;
  readonly subscriptionId: number;
  readonly resId: number;
  readonly url: string;
  readonly message: Message;
}

/**
 * Takes deliveries that are due, each the first of its record that is open, and makes what is sent of them. Those behind another one
 * are put off until that one can have been sent. The env is that of the worker, whose steps no other process takes meanwhile.
 */
export async function claimDue(env: Env): Promise<{ readonly claims: readonly Claim[]; readonly isMore: boolean }> {
  const room = await roomNow(env);
  const chosen: number[] = [];
  for (let awake = room.awake; awake.length > 0 && !room.isFull(); ) {
    const due = await dueOf(env, awake);
    chosen.push(...(await chooseFrom(env, due, room.take)));
    if (due.length < batch) break;
    // One webhook with much to send does not stand before the others.
    const seen = new Set(due.map((one) => one.subscription_id));
    awake = awake.filter((id) => !seen.has(id));
  }
  const claims = await makeClaims(env, chosen);
  // What was not needed any more may have let another one go on.
  return { claims, isMore: claims.length < chosen.length };
}

function dueOf(env: Env, awake: readonly number[]): Promise<readonly Due[]> {
  const now = env.now.toISOString();
  return env
    .model('webhook.delivery')
    .searchRead(
      [
        ['state', 'in', open],
        ['next_try', '<=', now],
        ['subscription_id', 'in', awake],
        '|',
        ['claimed_until', '=', null],
        ['claimed_until', '<=', now],
      ],
      ['subscription_id', 'res_id', 'subscription_id.url'],
      { order: 'next_try, id', limit: batch },
    );
}

async function chooseFrom(env: Env, due: readonly Due[], take: (one: Due) => boolean): Promise<readonly number[]> {
  if (due.length === 0) return [];
  const firsts = await firstsOf(env, due);
  const isFirst = (one: Due) => firsts.get(recordKey(one)) === one.id;
  const chosen = due.filter((one) => isFirst(one) && take(one)).map(({ id }) => id);
  const until = new Date(env.now.getTime() + leaseMs).toISOString();
  if (chosen.length > 0) await env.model('webhook.delivery').write(chosen, { claimed_until: until });
  const blocked = due.filter((one) => !isFirst(one));
  await putOff(env, blocked, firsts);
  return chosen;
}

interface Due {
  readonly id: number;
  readonly subscription_id: number;
  readonly res_id: number;
  readonly 'subscription_id.url': string | null;
}

const recordKey = ({ subscription_id, res_id }: Pick<Due, 'subscription_id' | 'res_id'>) =>
  `${subscription_id} ${res_id}`;

/** How much may be sent now. A receiver that gave no answer the last time is tried with one, once its rest is over. */
async function roomNow(env: Env) {
  const now = env.now.toISOString();
  const progress = await env
    .model('webhook.progress')
    .searchRead([['subscription_id.state', '=', 'on']], ['subscription_id', 'outages', 'resume_at']);
  const sending = await env
    .model('webhook.delivery')
    .searchRead([['claimed_until', '>', now]], ['subscription_id', 'subscription_id.url']);
  const toHost = new Map<string, number>();
  const trying = new Map(progress.filter(({ outages }) => outages > 0).map((row) => [row.subscription_id, 1]));
  const count = (one: Pick<Due, 'subscription_id' | 'subscription_id.url'>) => {
    const host = hostOf(one);
    toHost.set(host, (toHost.get(host) ?? 0) + 1);
    const left = trying.get(one.subscription_id);
    if (left !== undefined) trying.set(one.subscription_id, left - 1);
  };
  sending.forEach(count);
  let free = most.inAll - sending.length;
  return {
    isFull: () => free <= 0,
    awake: progress
      .filter(({ resume_at: at }) => at === null || Date.parse(at) <= Date.parse(now))
      .map((row) => row.subscription_id),
    take(one: Due): boolean {
      const isBusy = free <= 0 || (toHost.get(hostOf(one)) ?? 0) >= most.toHost;
      if (isBusy || (trying.get(one.subscription_id) ?? 1) <= 0) return false;
      count(one);
      free--;
      return true;
    },
  };
}

function hostOf({ 'subscription_id.url': url }: Pick<Due, 'subscription_id.url'>): string {
  return url && URL.canParse(url) ? new URL(url).host : '';
}

/** The first open delivery of each record. */
async function firstsOf(env: Env, due: readonly Due[]): Promise<ReadonlyMap<string, number>> {
  const groups = await env.model('webhook.delivery').readGroup({
    domain: [
      ['state', 'in', open],
      ['subscription_id', 'in', [...new Set(due.map((one) => one.subscription_id))]],
      ['res_id', 'in', [...new Set(due.map((one) => one.res_id))]],
    ],
    groupby: ['subscription_id', 'res_id'],
    fields: [{ name: 'first', field: 'id', measure: 'min' }],
  });
  return new Map(groups.map((group) => [recordKey(group), Number(group.first)]));
}

/** They wait for another one anyway, and must not stand before those of other records. */
async function putOff(env: Env, blocked: readonly Due[], firsts: ReadonlyMap<string, number>): Promise<void> {
  if (blocked.length === 0) return;
  const ahead = await env
    .model('webhook.delivery')
    .read([...new Set(blocked.map((one) => firsts.get(recordKey(one)) as number))], ['next_try', 'claimed_until']);
  for (const { id, next_try: next, claimed_until: until } of ahead) {
    const behind = blocked.filter((one) => firsts.get(recordKey(one)) === id).map((one) => one.id);
    const later = until !== null && until > next ? until : next;
    await env.model('webhook.delivery').write(behind, { next_try: later });
  }
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

async function makeClaims(env: Env, ids: readonly number[]): Promise<readonly Claim[]> {
  if (ids.length === 0) return [];
  const rows = await env.model('webhook.delivery').read(ids, sent);
  const owners = new Map<string, Env | null>();
  const claims: Claim[] = [];
  for (const row of rows) {
    const [uid, company] = [row['subscription_id.user_id'] ?? 0, row['subscription_id.company_id']];
    const key = `${uid} ${company}`;
    if (!owners.has(key)) owners.set(key, await inNameOf(env, uid, company));
    const owner = owners.get(key) ?? null;
    const record = owner ? await readFor(owner, row) : 'no owner';
    if (record === 'no owner' || record === 'refused') {
      await pauseFor(env, row.subscription_id, record === 'refused' ? 'rights' : 'owner');
      await env.model('webhook.delivery').write([row.id], { claimed_until: null });
    } else if (record === 'gone') {
      await env.model('webhook.delivery').write([row.id], { state: 'skipped', problem: 'gone', claimed_until: null });
      await wakeNext(env, row.subscription_id, row.res_id);
    } else {
      const secrets = {
        secret: row['subscription_id.secret'],
        secret_before: row['subscription_id.secret_before'],
        secret_before_until: row['subscription_id.secret_before_until'],
      };
      const message = messageOf(secrets, row.key, bodyOf(row.subscription_id, row, record), env.now);
      const url = row['subscription_id.url'] ?? '';
      claims.push({ id: row.id, subscriptionId: row.subscription_id, resId: row.res_id, url, message });
    }
  }
  return claims;
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

/** The one behind a delivery that is over need not wait any longer. */
export async function wakeNext(env: Env, subscriptionId: number, resId: number): Promise<void> {
  const deliveries = env.model('webhook.delivery');
  const [next] = await deliveries.search(
    [
      ['subscription_id', '=', subscriptionId],
      ['res_id', '=', resId],
      ['state', '=', 'waiting'],
    ],
    { order: 'id', limit: 1 },
  );
  if (next !== undefined) await deliveries.write([next], { next_try: env.now.toISOString() });
}
