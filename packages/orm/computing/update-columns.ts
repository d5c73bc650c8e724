import type { Env, Field, Model } from '../model/model.ts';
import { type HeldRecord, settleState } from '../settle/settle-state.ts';
import type { FieldChange } from '../unit-of-work.ts';
import { recordChange } from '../writing/record-change.ts';
import { stamp } from '../writing/stamp.ts';
import { updateRows } from '../writing/update-rows.ts';

/** Computed values of one record that differ from what its columns hold. */
export interface ColumnChange {
  readonly id: number;
  readonly changed: ReadonlyMap<Field, FieldChange>;
}

/** Writes computed values of many records in one statement, and records them like any write. */
export async function updateColumns(
  env: Env,
  model: Model,
  changes: readonly ColumnChange[],
  held: ReadonlyMap<number, HeldRecord>,
): Promise<void> {
  if (changes.length === 0) return;
  const fields = new Set(changes.flatMap((change) => [...change.changed.keys()]));
  const stamps = stamp(env, model, ['write_date', 'write_uid']);
  const rows = changes.map(({ id, changed }) => {
    const values = new Map<Field, unknown>(stamps);
    for (const field of fields) {
      const change = changed.get(field);
      values.set(field, change ? change.new : held.get(id)?.values.get(field));
    }
    return { id, values };
  });
  await updateRows(env, model, [...fields, ...stamps.keys()], rows);
  recordChanges(env, model, changes, held);
}

export function recordChanges(
  env: Env,
  model: Model,
  changes: readonly ColumnChange[],
  held: ReadonlyMap<number, HeldRecord>,
): void {
  const { isSilent, firstChange } = settleState(env);
  for (const { id, changed } of changes) {
    for (const [field, change] of changed) held.get(id)?.values.set(field, change.new);
    if (isSilent) continue;
    recordChange(env, model, {
      id,
      operation: 'write',
      fields: changed,
      companyId: held.get(id)?.companyId,
      since: firstChange,
    });
  }
}
