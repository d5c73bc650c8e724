import type { Env } from '@kontor/orm';
import { parseDomain, ValidationError, type WireRecord } from '@kontor/protocol';
import { type Automation, type AutomationTrigger, parseAutomationAction } from './automation.ts';
import { type AutomationText, checkAutomation } from './check-automations.ts';

/** Active automations by model, in the order of their making. */
export type Automations = ReadonlyMap<string, readonly Automation[]>;

/**
 * Those that a change of modules broke are left out and told of: what they speak of is gone, and failing for it would stop
 * everybody's work on the model.
 */
export async function loadAutomations(
  env: Env,
  onBroken: (name: string, message: string) => void = () => {},
): Promise<Automations> {
  const rows = await env
    .model('sys.automation')
    .searchRead([['active', '=', true]], ['name', 'model', 'trigger', 'domain', 'action'], { order: 'id' });
  const automations = new Map<string, Automation[]>();
  for (const row of rows) {
    try {
      checkAutomation(env, row as unknown as AutomationText);
      const automation = toAutomation(row);
      automations.set(automation.model, [...(automations.get(automation.model) ?? []), automation]);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      onBroken(String(row.name), error.message);
    }
  }
  return automations;
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
