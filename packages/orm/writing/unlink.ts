import type { Env, Model } from '../model/model.ts';
import type { CreateOptions } from '../model/records.ts';
import { startRun } from '../plan/write-run.ts';
import { inOperation } from '../settle/in-operation.ts';
import { concerns } from './concerns.ts';
import { runPlan } from './run-plan.ts';
import { rowsOf } from './write.ts';

/** Deletes records, and those that are deleted with them, with one DELETE per model. */
export async function unlink(
  env: Env,
  model: Model,
  ids: readonly number[],
  { restores = false }: Pick<CreateOptions, 'restores'> = {},
): Promise<true> {
  const going = new Map<Model, ReadonlySet<number>>();
  const remove = async (from: Model, gone: readonly number[], isCascade: boolean): Promise<void> => {
    const rows = rowsOf(gone, {});
    going.set(from, new Set([...(going.get(from) ?? []), ...rows.map(({ id }) => id)]));
    const purpose = restores ? 'restore' : 'call';
    const removal = { operation: 'unlink', purpose, isCascade, going, cascade: follow } as const;
    await runPlan(concerns, startRun({ env, model: from, ids: gone, given: [], rows, ...removal }));
  };
  // Records that are deleted with others are deleted with the server's rights; hooks run as the caller.
  const follow = (from: Model, gone: readonly number[]) => remove(from, gone, true);
  return inOperation<true>(env, async () => {
    await remove(model, ids, false);
    return true;
  });
}
