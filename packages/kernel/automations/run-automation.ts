import type { Env } from '@kontor/orm';
import { publishEvents } from '../runtime/publish-events.ts';
import type { Automation } from './automation.ts';

export interface AutomationTarget {
  readonly id: number;
  readonly companyId: number | null;
}

/** Does what the automation says to the records it concerns; tells whether events were written. */
export async function runAutomation(
  env: Env,
  { model, action }: Automation,
  targets: readonly AutomationTarget[],
): Promise<boolean> {
  if (targets.length === 0) return false;
  if (action.kind === 'write') {
    const ids = targets.map((target) => target.id);
    await env.model(model).write(ids, action.values);
    return false;
  }
  await publishEvents(
    env.db,
    targets.map(({ id, companyId }) => ({ channel: action.channel, payload: { model, id }, model, companyId })),
  );
  return true;
}
