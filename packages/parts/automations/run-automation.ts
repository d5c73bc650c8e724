import { publish } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { Automation } from './automation.ts';

export interface AutomationTarget {
  readonly id: number;
  readonly companyId: number | null;
}

/** Does what the automation says to the records it concerns. */
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
