import {
  anyModel,
  defineQueue,
  type Env,
  inSavepoint,
  KontorError,
  type QueueEnd,
  type QueueRow,
  wakeQueue,
} from '@kontor/addon';
import { recordFromMessage } from '../incoming/record-from-message.ts';
import type { Done } from '../steps/run-steps.ts';
import { beginChain, readChain } from './chain.ts';
import { matching } from './matching.ts';
import { type Rule, readRules } from './rule.ts';
import { checkAuthor, explain, RightsLost, runFor } from './run-rule.ts';
import { countFailure, pauseFor, resetFailures } from './trouble.ts';

const fields = ['rule_id', 'model', 'res_id', 'ids', 'payload', 'chain'] as const;

interface Run {
  readonly id: number;
  readonly rule_id: number;
  readonly model: string;
  readonly res_id: number;
  readonly ids: unknown;
  readonly payload: unknown;
  readonly chain: unknown;
}

/**
 * Runs what was noticed. The steps, what they set off, their mails and messages, and the end of the run are one transaction: a process
 * that dies leaves all of it or nothing.
 */
export const runQueue = defineQueue<null>({
  name: 'run',
  model: 'automation.run',
  states: { waiting: 'waiting', again: 'waiting', done: 'done', dead: 'failed' },
  orderKey: ['rule_id', 'res_id'],
  tries: { most: 4, waitMs: (attempt) => 30_000 * 2 ** attempt },
  prepare: async () => ({ work: null }),
  run: async () => {},
  end: runNext,
});

async function runNext(env: Env, { id, attempts }: QueueRow): Promise<QueueEnd> {
  const runs = env.model('automation.run');
  const [run] = await runs.read([id], fields);
  const [rule] = run ? await rulesFor(env, run.rule_id) : [];
  if (!run) return { is: 'left' };
  if (!rule) return end(env, run, 'skipped', { problem: 'off' });
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  beginChain(env, [...readChain(run.chain), { id: rule.id, name: rule.name }]);
  try {
    const outcome = await inSavepoint(env, () => attempt(env, rule, run));
    if ('problem' in outcome) return await end(env, run, 'skipped', { ...outcome, ms: ms() });
    await resetFailures(env, rule.id);
    return await end(env, run, 'done', { ...outcome, ms: ms() });
  } catch (error) {
    return await afterFailure(env, rule, run, error, { attempts, ms: ms() });
  }
}

async function rulesFor(env: Env, id: number): Promise<readonly Rule[]> {
  try {
    return (await readRules(env, [id])).filter(({ state }) => state === 'on');
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    await pauseFor(env, id, 'broken', error.message);
    return [];
  }
}

type Outcome =
  | { readonly done: readonly Done[]; readonly res_id?: number }
  | { readonly problem: 'gone' | 'conditions' | 'message'; readonly reason?: string };

async function attempt(env: Env, rule: Rule, run: Run): Promise<Outcome> {
  await checkAuthor(env, rule);
  const isMessage = rule.when.trigger === 'hook';
  const record = isMessage ? await messageRecord(env, rule, run) : null;
  if (isMessage && typeof record !== 'number') return { problem: 'message', ...record };
  const ids = typeof record === 'number' ? [record] : Array.isArray(run.ids) ? (run.ids as number[]) : [run.res_id];
  const there = await anyModel(env, rule.model).search([['id', 'in', ids]]);
  if (there.length === 0) return { problem: 'gone' };
  const matched = await matching(env, rule, there);
  if (matched.length === 0) return { problem: 'conditions' };
  const done = await runFor(env, rule, matched);
  return { done, ...(typeof record === 'number' ? { res_id: record } : {}) };
}

/** Wrong values are a mistake of that message, not of the automation: strangers who fill in a form must not switch it off. */
async function messageRecord(env: Env, rule: Rule, run: Run): Promise<number | { readonly reason: string } | null> {
  try {
    return await inSavepoint(env, () => recordFromMessage(env, rule, run.payload));
  } catch (error) {
    if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') throw error;
    return { reason: error.message.slice(0, 500) };
  }
}

type Values = Parameters<ReturnType<typeof runsOf>['write']>[1];

function runsOf(env: Env) {
  return env.model('automation.run');
}

async function end(env: Env, { id }: Run, state: 'done' | 'skipped', values: Values): Promise<QueueEnd> {
  await runsOf(env).write([id], { ...values, payload: null, ended_at: env.now.toISOString() });
  return { is: 'done', state };
}

interface Tried {
  readonly attempts: number;
  readonly ms: number;
}

async function afterFailure(
  env: Env,
  rule: Rule,
  run: Run,
  error: unknown,
  { attempts, ms }: Tried,
): Promise<QueueEnd> {
  if (error instanceof RightsLost) {
    await pauseFor(env, rule.id, error.reason);
    return await failed(env, run, { problem: 'rights', ms });
  }
  // One bad record must not prevent the others: each is tried by itself.
  if (Array.isArray(run.ids)) {
    await splitRun(env, rule, run, run.ids as number[]);
    return { is: 'done', state: 'skipped' };
  }
  const { step, reason, isFinal, isClosed } = explain(error);
  if (isClosed) return end(env, run, 'skipped', { problem: 'closed', step, reason: reason.slice(0, 500), ms });
  const values = { problem: 'step', step, reason: reason.slice(0, 500), ms } as const;
  if (!isFinal && attempts < 4) {
    await runsOf(env).write([run.id], values);
    return { is: 'again', error: 'A step failed.' };
  }
  if (await countFailure(env, rule.id)) await pauseFor(env, rule.id, 'failing');
  return failed(env, run, values);
}

async function failed(env: Env, { id }: Run, values: Values): Promise<QueueEnd> {
  await runsOf(env).write([id], { ...values, ended_at: env.now.toISOString() });
  return { is: 'dead', error: 'A step failed.' };
}

async function splitRun(env: Env, rule: Rule, { id, chain }: Run, ids: readonly number[]): Promise<void> {
  const own = { rule_id: rule.id, model: rule.model, chain };
  await runsOf(env).createMany(ids.map((res_id) => ({ ...own, res_id })));
  await runsOf(env).unlink([id]);
  wakeQueue(env, 'automation.run');
}
