import type { CacheSpec } from '@kontor/kernel';
import { type Env, expandDomain, typedEnv } from '@kontor/orm';
import { parseAuthoredDomain, ValidationError } from '@kontor/protocol';
import { type Automation, parseAutomationAction } from './automation.ts';
import { checkAutomation, hasConditions } from './automation-model.ts';

/** Active automations by model, in order of creation. */
export type Automations = ReadonlyMap<string, readonly Automation[]>;

export interface LoadedAutomations {
  readonly automations: Automations;
  /** Automations broken by a change of modules: failing for them would stop everybody's work on the model. */
  readonly broken: readonly { readonly name: string; readonly message: string }[];
}

export const automationsCache: CacheSpec<undefined, LoadedAutomations> = {
  droppedBy: ['views'],
  load: loadAutomations,
};

export async function loadAutomations(env: Env): Promise<LoadedAutomations> {
  const rows = await typedEnv(env)
    .model('sys.automation')
    .searchRead([['active', '=', true]], ['name', 'model', 'trigger', 'domain', 'before', 'action'], { order: 'id' });
  const automations = new Map<string, Automation[]>();
  const broken: { name: string; message: string }[] = [];
  for (const row of rows) {
    try {
      checkAutomation(env, row);
      const { id, name, model, trigger } = row;
      const expand = (given: unknown) =>
        expandDomain(env.registry, env.registry.model(model), parseAuthoredDomain((given ?? []) as never));
      const domain = expand(row.domain);
      const before = hasConditions(row.before) ? expand(row.before) : null;
      const automation = { id, name, model, trigger, domain, before, action: parseAutomationAction(row.action) };
      automations.set(automation.model, [...(automations.get(automation.model) ?? []), automation]);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      broken.push({ name: row.name, message: error.message });
    }
  }
  return { automations, broken };
}
