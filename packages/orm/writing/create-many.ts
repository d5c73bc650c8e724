import type { Env, Model } from '../model/model.ts';
import type { CreateOptions, Values } from '../model/records.ts';
import { startRun } from '../plan/write-run.ts';
import { inOperation } from '../settle/in-operation.ts';
import { concerns } from './concerns.ts';
import { runPlan } from './run-plan.ts';

/** New records with their lines: one INSERT for all of them, one for all their lines. Ids in the order of the values. */
export async function createMany(
  env: Env,
  model: Model,
  given: readonly Values[],
  { granted, restores }: CreateOptions = {},
): Promise<number[]> {
  // Invalid values are rejected by a step.
  const rows = Array.isArray(given) ? given.map((values: Values) => ({ id: 0, given: values, values })) : [];
  const options = { purpose: restores ? 'restore' : 'call', granted: new Set(granted) } as const;
  return inOperation(env, async () => {
    const run = startRun({ env, model, operation: 'create', ids: [], given, rows, ...options });
    await runPlan(concerns, run);
    return [...run.ids];
  });
}
