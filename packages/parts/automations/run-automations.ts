import { systemActor } from '@kontor/kernel';
import { type Change, type Env, envTokens } from '@kontor/orm';
import { condition, conjoin, type DomainNode, evaluateDomain } from '@kontor/protocol';
import type { Automation } from './automation.ts';
import type { Automations } from './load-automations.ts';
import { type AutomationTarget, runAutomation } from './run-automation.ts';

/** Automations may set each other off, but not for ever. */
export const maxAutomationDepth = 5;

/**
 * Runs what the changes of this unit of work, from `since` on, set off, as the system and in its transaction. What automations write may set
 * off others, a step deeper each time. Returns the names of those that would have run a step too deep.
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
  { model, trigger, domain }: Automation,
  changes: readonly Change[],
): Promise<readonly AutomationTarget[]> {
  const byId = new Map(changes.map((change) => [change.id, { id: change.id, companyId: change.companyId }]));
  if (trigger === 'unlink') {
    return changes
      .filter((change) => heldBefore(env, domain, change))
      .map(({ id }) => byId.get(id) as AutomationTarget);
  }
  const ids = await env.model(model).search(conjoin(condition('id', 'in', [...byId.keys()]), domain));
  return ids.map((id) => byId.get(id) as AutomationTarget);
}

/** The record is gone, so its domain is asked of what it was. */
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
