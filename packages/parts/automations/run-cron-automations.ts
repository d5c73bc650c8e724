import { systemActor } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { loadAutomations } from './load-automations.ts';
import type { AutomationTarget } from './run-automation.ts';
import { runAutomation } from './run-automation.ts';

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
