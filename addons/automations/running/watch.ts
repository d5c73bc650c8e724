import { type Env, groupBy, inSavepoint, text, UserError, type WatcherSpec, wakeQueue } from '@kontor/addon';
import { chainOf, isLoop, type Link, withChain } from './chain.ts';
import { matching } from './matching.ts';
import { type Rule, readRules, serverIn } from './rule.ts';
import { explain, runFor } from './run-rule.ts';

/** Records of one run: more of them are done together, and each by itself if that fails. */
const atOnce = 500;
/** Up to here each record has a run of its own. */
const single = 50;

type Change = Parameters<WatcherSpec['run']>[0]['changes'][number];
/** Active automations by model. */
type Rules = ReadonlyMap<string, readonly Rule[]>;

const operations = { create: 'create', change: 'write' } as const;

/** Notices the changes that automations wait for, in the transaction that makes them: what is noticed is never lost. */
export const watcher: WatcherSpec<Rules> = {
  follows: 'automation.rule',
  async load(env) {
    const rules = new Map<string, Rule[]>();
    const ids = await env.model('automation.rule').search(
      [
        ['state', '=', 'on'],
        ['trigger', 'in', ['create', 'change']],
      ],
      { order: 'id' },
    );
    for (const rule of await readRules(env, ids)) {
      if (env.registry.models.has(rule.model)) rules.set(rule.model, [...(rules.get(rule.model) ?? []), rule]);
    }
    return rules;
  },
  concerns: (rules, { model, operation }) => (rules.get(model) ?? []).some((rule) => operationOf(rule) === operation),
  async run({ env, changes, loaded }) {
    const server = serverIn(env, null);
    let fresh: readonly Change[] = changes;
    // Automations that belong to the change may set each other off; each round sees what the one before changed.
    for (let chain = chainOf(env); fresh.length > 0; ) {
      const seen = env.work.changes.length;
      const links: Link[] = [];
      for (const [model, own] of groupBy(fresh, ({ model }) => model)) {
        for (const rule of loaded.get(model) ?? []) {
          if (await runOrQueue(server, rule, own, chain)) links.push({ id: rule.id, name: rule.name });
        }
      }
      fresh = env.work.changes.slice(seen);
      chain = [...chain, ...links];
    }
  },
};

function operationOf({ when: { trigger } }: Pick<Rule, 'when'>): string | undefined {
  return trigger === 'create' || trigger === 'change' ? operations[trigger] : undefined;
}

/** Returns whether it ran with the change. */
async function runOrQueue(env: Env, rule: Rule, changes: readonly Change[], chain: readonly Link[]): Promise<boolean> {
  const touched = changes.filter((change) => isTouched(rule, change)).map(({ id }) => id);
  const ids = touched.length === 0 ? [] : await matching(env, rule, [...new Set(touched)]);
  if (ids.length === 0) return false;
  if (isLoop(chain, rule.id)) {
    await keepRun(env, rule, ids, { chain, state: 'stopped', problem: 'loop', ended_at: env.now.toISOString() });
    return false;
  }
  if (!rule.together) {
    await queueRuns(env, rule, ids, chain);
    return false;
  }
  await runNow(env, rule, ids, chain);
  return true;
}

/** Whether the change is the one that it waits for: of its field, from and to its values. */
function isTouched({ when }: Rule, { operation, values }: Change): boolean {
  if (operation !== operationOf({ when })) return false;
  const { trigger, field, from, to } = when;
  if (trigger === 'create' || field === null) return true;
  const change = Object.hasOwn(values, field) ? values[field] : undefined;
  if (!change) return false;
  return (from === null || said(change.old) === from) && (to === null || said(change.new) === to);
}

function said(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

interface Kept {
  readonly chain: readonly Link[];
  readonly state?: 'stopped' | 'done';
  readonly problem?: 'loop';
  readonly done?: unknown;
  readonly ms?: number;
  readonly ended_at?: string;
}

function runValues(rule: Rule, ids: readonly number[], kept: Kept) {
  return {
    ...{ rule_id: rule.id, model: rule.model, res_id: ids.length === 1 ? (ids[0] as number) : 0 },
    ...{
      ids: ids.length === 1 ? null : ids,
      count: ids.length,
      ...kept,
      chain: kept.chain.length > 0 ? kept.chain : null,
    },
  };
}

async function keepRun(env: Env, rule: Rule, ids: readonly number[], kept: Kept): Promise<void> {
  await env.model('automation.run').createMany(chunks(ids, atOnce).map((own) => runValues(rule, own, kept)));
}

/** Records that wait for their automation: each by itself, or many together. */
export async function queueRuns(env: Env, rule: Rule, ids: readonly number[], chain: readonly Link[]): Promise<void> {
  const size = ids.length > single ? atOnce : 1;
  await env.model('automation.run').createMany(chunks(ids, size).map((own) => runValues(rule, own, { chain })));
  wakeQueue(env, 'automation.run');
}

function chunks(ids: readonly number[], size: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));
}

/** In the transaction of the change; an exception rejects it. */
async function runNow(env: Env, rule: Rule, ids: readonly number[], chain: readonly Link[]): Promise<void> {
  const began = performance.now();
  try {
    const done = await withChain(env, [...chain, { id: rule.id, name: rule.name }], () =>
      inSavepoint(env, () => runFor(env, rule, ids)),
    );
    const ms = Math.round(performance.now() - began);
    await keepRun(env, rule, ids, { chain, state: 'done', done, ms, ended_at: env.now.toISOString() });
  } catch (error) {
    const { step } = explain(error);
    // The step, not the reason: it may be about records that this person does not see.
    throw new UserError(
      text('The automation {name} rejects this change: step {step} failed. Ask whoever manages it.', {
        name: rule.name,
        step: step ?? 0,
      }),
    );
  }
}
