import type { Transaction } from '@kontor/database';
import { danglingIds, deleteExternalIds, type Env, type ExternalId } from '@kontor/orm';
import { findUses, keepUsed, spreadKept } from './record-uses.ts';

export interface RemoveReport {
  readonly removed: readonly string[];
  /** Something else still needs it, so the record stays. */
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

export interface RemoveOptions {
  /** Keeps records that users changed, and those that records of others refer to. */
  readonly keepsUsed?: boolean;
  /** Runs before the records are removed, in the same savepoint. */
  readonly before?: (going: readonly ExternalId[]) => Promise<void>;
}

/**
 * Removes the records of external ids, newest first, so that nothing is removed before what depends on it. A record that cannot be
 * removed stays complete: with its parts and the records it refers to. It is reported and keeps its external id.
 */
export async function removeRecords(
  tx: Transaction,
  freshEnv: () => Env,
  ids: readonly ExternalId[],
  { keepsUsed = false, before }: RemoveOptions = {},
): Promise<RemoveReport> {
  const gone = await danglingIds(freshEnv(), ids);
  const there = ids.filter((each) => !gone.has(each.id));
  const uses = await findUses(freshEnv(), there);
  const kept = keepsUsed ? keepUsed(uses, there) : new Map<string, string>();
  for (;;) {
    spreadKept(uses, there, kept);
    const refused = await removeAll(
      tx,
      freshEnv,
      there.filter((each) => !kept.has(each.id)),
      before,
    );
    if (refused.size === 0) break;
    for (const [id, reason] of refused) kept.set(id, reason);
  }
  const leaving = ids.filter((each) => !kept.has(each.id));
  await deleteExternalIds(
    freshEnv(),
    leaving.map((each) => each.rowId),
  );
  return {
    removed: leaving.filter((each) => !gone.has(each.id)).map((each) => each.id),
    kept: [...kept].map(([id, reason]) => ({ id, reason })),
  };
}

/** Removes all of them, or none: then it returns those that cannot be removed, with the reason. */
async function removeAll(
  tx: Transaction,
  freshEnv: () => Env,
  going: readonly ExternalId[],
  before: RemoveOptions['before'],
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  const undone = new Error('Some records cannot be removed.');
  const remove = async () => {
    await before?.(going);
    for (const run of runsOfOneModel(going)) {
      if ((await tryUnlink(tx, freshEnv, run)) === null) continue;
      for (const each of run) {
        const reason = await tryUnlink(tx, freshEnv, [each]);
        if (reason !== null) refused.set(each.id, reason);
      }
    }
    if (refused.size > 0) throw undone;
  };
  await tx.savepoint(remove).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return refused;
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

/** Why the records cannot be removed, or null if they are. Each try has its own env: a failed one leaves no trace. */
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
