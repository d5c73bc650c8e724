import type { CacheSpec } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { parseDomain, ValidationError, type WireRecord } from '@kontor/protocol';
import { type Automation, type AutomationTrigger, parseAutomationAction } from './automation.ts';
import { type AutomationText, checkAutomation } from './check-automations.ts';

/** Active automations by model, in the order of their making. */
export type Automations = ReadonlyMap<string, readonly Automation[]>;

export interface LoadedAutomations {
  readonly automations: Automations;
  /** Those that a change of modules broke: failing for them would stop everybody's work on the model. */
  readonly broken: readonly { readonly name: string; readonly message: string }[];
}

export const automationsCache: CacheSpec<undefined, LoadedAutomations> = {
  droppedBy: ['views'],
  load: loadAutomations,
};

export async function loadAutomations(env: Env): Promise<LoadedAutomations> {
  const rows = await env
    .model('sys.automation')
    .searchRead([['active', '=', true]], ['name', 'model', 'trigger', 'domain', 'action'], { order: 'id' });
  const automations = new Map<string, Automation[]>();
  const broken: { name: string; message: string }[] = [];
  for (const row of rows) {
    try {
      checkAutomation(env, row as unknown as AutomationText);
      const automation = toAutomation(row);
      automations.set(automation.model, [...(automations.get(automation.model) ?? []), automation]);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      broken.push({ name: String(row.name), message: error.message });
    }
  }
  return { automations, broken };
}

function toAutomation(row: WireRecord): Automation {
  return {
    id: row.id,
    name: String(row.name),
    model: String(row.model),
    trigger: row.trigger as AutomationTrigger,
    domain: parseDomain(row.domain ?? []),
    action: parseAutomationAction(String(row.action)),
  };
}
