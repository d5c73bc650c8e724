import { markStale } from '../computing/mark-stale.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { markForChecks } from '../settle/mark-for-checks.ts';
import type { FieldChange } from '../unit-of-work.ts';
import { companyAfter } from './check-row-changes.ts';
import type { RowChange } from './compare-rows.ts';
import { recordChange } from './record-change.ts';

type ListChanges = ReadonlyMap<number, ReadonlyMap<Field, FieldChange>>;

/** Tells the unit of work what became of each record. */
export function recordWrites(env: Env, model: Model, changes: readonly RowChange[], lists: ListChanges): void {
  for (const change of changes) {
    const fields = [...change.changed, ...(lists.get(change.id) ?? [])];
    if (fields.length === 0) continue;
    recordChange(env, model, {
      id: change.id,
      operation: 'write',
      fields,
      companyId: companyAfter(model, change),
    });
  }
}

export interface Written {
  readonly ids: readonly number[];
  /** Fields of these records that changed, lists among them. */
  readonly names: ReadonlySet<string>;
  /** Records whose own rows are as they were: only lines of theirs changed. */
  readonly owners: readonly number[];
  /** Records that the caller's rules may no longer allow. */
  readonly doubtful: readonly number[];
}

/** What follows from a write: computes, constraints, and rules where they are not known to hold. */
export async function markWritten(env: Env, model: Model, { ids, names, owners, doubtful }: Written): Promise<void> {
  await markStale(env, model, ids, names, { isMade: true });
  markForChecks(env.sudo(), model, [...ids, ...owners], names, 'write');
  markForChecks(env, model, doubtful, [], 'write');
}
