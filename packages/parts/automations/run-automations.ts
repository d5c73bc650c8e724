import { publish, systemActor } from '@kontor/kernel';
import { type Change, type Env, envTokens } from '@kontor/orm';
import { condition, conditionsIn, conjoin, type DomainNode, evaluateDomain } from '@kontor/protocol';
import type { Automation } from './automation.ts';
import { type Automations, loadAutomations } from './load-automations.ts';

/** Automations may trigger each other, up to this depth. */
export const maxAutomationDepth = 5;

/**
 * Runs the automations that the changes of this unit of work, from `since` on, trigger, as the system and in its transaction. Their
 * writes may trigger others, one level deeper each time. Returns the names of those beyond the limit.
 */
export async function runAutomations(env: Env, automations: Automations, since = 0): Promise<readonly string[]> {
  const system = env.as(systemActor).sudo();
  let seen = since;
  for (let depth = 1; ; depth++) {
    const due = dueAutomations(env.work.changes.slice(seen), automations);
    seen = env.work.changes.length;
    if (due.length === 0) return [];
    if (depth > maxAutomationDepth) return due.map(({ automation }) => automation.name);
    for (const { automation, changes } of due) {
      await runAutomation(system, automation, await concerned(system, automation, changes));
    }
  }
}

interface Due {
  readonly automation: Automation;
  readonly changes: readonly Change[];
}

function dueAutomations(changes: readonly Change[], automations: Automations): readonly Due[] {
  if (automations.size === 0) return [];
  const models = new Set(changes.map((change) => change.model));
  return [...models].flatMap((model) =>
    (automations.get(model) ?? []).flatMap((automation) => {
      const own = changes.filter((change) => change.model === model && change.operation === automation.trigger);
      return own.length === 0 ? [] : [{ automation, changes: own }];
    }),
  );
}

async function concerned(
  env: Env,
  { model, trigger, domain, before }: Automation,
  changes: readonly Change[],
): Promise<readonly AutomationTarget[]> {
  const byId = new Map(changes.map((change) => [change.id, { id: change.id, companyId: change.companyId }]));
  if (trigger === 'unlink') {
    return changes
      .filter((change) => heldBefore(env, domain, change))
      .map(({ id }) => byId.get(id) as AutomationTarget);
  }
  const ids = await env.model(model).search(conjoin(condition('id', 'in', [...byId.keys()]), domain));
  const held = before === null ? ids : await heldBeforeChange(env, { model, ids, changes }, before);
  return held.map((id) => byId.get(id) as AutomationTarget);
}

/** The records that matched before their first change; what did not change is as it is now. */
async function heldBeforeChange(
  env: Env,
  {
    model,
    ids,
    changes,
  }: { readonly model: string; readonly ids: readonly number[]; readonly changes: readonly Change[] },
  before: DomainNode,
): Promise<readonly number[]> {
  const names = [...new Set(conditionsIn(before).map(({ path }) => path[0] as string))];
  const rows = await env.model(model).read(ids, names);
  return rows.flatMap((row) => {
    const change = changes.find(({ id }) => id === row.id) as Change;
    const unchanged = Object.entries(row).filter(([name]) => !(name in change.values));
    const values = {
      ...change.values,
      ...Object.fromEntries(unchanged.map(([name, old]) => [name, { old, new: old }])),
    };
    return heldBefore(env, before, { ...change, values } as Change) ? [row.id] : [];
  });
}

/** Whether the domain held for the values before the change. */
function heldBefore(env: Env, domain: DomainNode, change: Change): boolean {
  const { fields } = env.registry.model(change.model);
  const record = Object.fromEntries(Object.entries(change.values).map(([name, { old }]) => [name, old]));
  return evaluateDomain(
    domain,
    { ...record, id: change.id },
    {
      tokens: envTokens(env),
      tz: env.actor.tz,
      typeOf: (path) => (path.length === 1 ? fields.get(path[0] as string)?.spec.type : undefined),
    },
  );
}

export interface AutomationTarget {
  readonly id: number;
  readonly companyId: number | null;
}

/** Runs the automation on the records it concerns. */
export async function runAutomation(
  env: Env,
  { model, action }: Automation,
  targets: readonly AutomationTarget[],
): Promise<void> {
  if (targets.length === 0) return;
  if (action.kind === 'write') {
    const ids = targets.map((target) => target.id);
    await env.model(model).write(ids, action.values);
    return;
  }
  for (const { id, companyId } of targets) await publish(env, action.channel, { model, id }, { model, companyId });
}

const batch = 1_000;

/**
 * Runs every active automation with the trigger `cron` once over all records that its domain matches, as the system. For the
 * scheduler: call it inside a unit of work. Returns how many records each one concerned, by the automation's id.
 */
export async function runCronAutomations(env: Env): Promise<ReadonlyMap<number, number>> {
  const system = env.as(systemActor).sudo();
  const counts = new Map<number, number>();
  const { automations } = await loadAutomations(system);
  const all = [...automations.values()].flat();
  for (const automation of all.filter(({ trigger }) => trigger === 'cron')) {
    const ids = await system.model(automation.model).search(automation.domain, { order: 'id' });
    for (let at = 0; at < ids.length; at += batch) {
      await runAutomation(system, automation, await targetsOf(system, automation.model, ids.slice(at, at + batch)));
    }
    counts.set(automation.id, ids.length);
  }
  return counts;
}

async function targetsOf(env: Env, model: string, ids: readonly number[]): Promise<readonly AutomationTarget[]> {
  if (!env.registry.model(model).hasCompany) return ids.map((id) => ({ id, companyId: null }));
  const rows = await env.model(model).read(ids, ['company_id']);
  return rows.map((row) => ({ id: row.id, companyId: typeof row.company_id === 'number' ? row.company_id : null }));
}
