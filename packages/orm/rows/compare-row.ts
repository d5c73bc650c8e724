import type { Field } from '../model/model.ts';
import { sameValue } from '../model/same-value.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { AskedRow, CastRow, LockedRow, RowChange } from '../plan/row-change.ts';

/** Finds the values of a row that differ from the stored ones. */
export function compareRow({ id, given, values }: AskedRow, cast: CastRow, now: LockedRow): RowChange {
  const changed = new Map<Field, FieldChange>();
  for (const [field, value] of cast.columns) {
    const old = now.values.get(field) ?? null;
    if (!sameValue(field, old, value)) changed.set(field, { old, new: value });
  }
  return { id, given, values, cast, now, base: null, conflicts: {}, changed };
}
