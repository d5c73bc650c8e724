import type { Transaction } from '@kontor/database';
import { danglingIds, deleteExternalIds, type Env, type ExternalId } from '@kontor/orm';

export interface RemoveReport {
  readonly removed: readonly string[];
  /** What something else still needs; the record stays. */
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Removes the records behind external ids, the youngest first, so that nothing goes before what was made on top of it. A
 * record that others still refer to stays and is reported.
 */
export async function removeRecords(
  tx: Transaction,
  freshEnv: () => Env,
  ids: readonly ExternalId[],
): Promise<RemoveReport> {
  const gone = await danglingIds(freshEnv(), ids);
  const removed: string[] = [];
  const kept: { id: string; reason: string }[] = [];
  for (const run of runsOfOneModel(ids.filter((each) => !gone.has(each.id)))) {
    if ((await tryUnlink(tx, freshEnv, run)) === null) {
      removed.push(...run.map((each) => each.id));
      continue;
    }
    for (const each of run) {
      const reason = await tryUnlink(tx, freshEnv, [each]);
      if (reason === null) removed.push(each.id);
      else kept.push({ id: each.id, reason });
    }
  }
  const stays = new Set(kept.map((each) => each.id));
  const rows = ids.filter((each) => !stays.has(each.id)).map((each) => each.rowId);
  await deleteExternalIds(freshEnv(), rows);
  return { removed, kept };
}

function runsOfOneModel(ids: readonly ExternalId[]): readonly (readonly ExternalId[])[] {
  const runs: ExternalId[][] = [];
  for (const each of [...ids].sort((a, b) => b.rowId - a.rowId)) {
    const run = runs.at(-1);
    if (run?.[0]?.model === each.model) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

/** Why the records cannot go, or null when they are gone. Each try has an env of its own: a failed one leaves no trace. */
async function tryUnlink(tx: Transaction, freshEnv: () => Env, run: readonly ExternalId[]): Promise<string | null> {
  const model = run[0]?.model ?? '';
  try {
    await tx.savepoint(() =>
      freshEnv()
        .model(model)
        .unlink(run.map((each) => each.resId)),
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
