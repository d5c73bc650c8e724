import type { Env } from '@kontor/orm';
import { parseDomain } from '@kontor/protocol';
import { type Automation, type AutomationTrigger, parseAutomationAction } from './automation.ts';

/** Active automations by model, in the order of their making. */
export type Automations = ReadonlyMap<string, readonly Automation[]>;

/** Those of models that are not served right now wait until they are. */
export async function loadAutomations(env: Env): Promise<Automations> {
  const rows = await env
    .model('sys.automation')
    .searchRead([['active', '=', true]], ['name', 'model', 'trigger', 'domain', 'action'], { order: 'id' });
  const automations = new Map<string, Automation[]>();
  for (const row of rows) {
    const model = String(row.model);
    if (!env.registry.models.has(model)) continue;
    const automation: Automation = {
      id: row.id,
      name: String(row.name),
      model,
      trigger: row.trigger as AutomationTrigger,
      domain: parseDomain(row.domain ?? []),
      action: parseAutomationAction(String(row.action)),
    };
    automations.set(model, [...(automations.get(model) ?? []), automation]);
  }
  return automations;
}
