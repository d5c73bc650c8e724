import { sql } from '@kontor/database';
import { invalidArgs, KontorError, text } from '@kontor/protocol';
import { knownField } from '../domain/known-field.ts';
import { BadValue } from '../fields/kind.ts';
import type { Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { sameValue } from '../model/same-value.ts';
import { castInto } from '../plan/cast-into.ts';
import type { Concern, StatementSteps } from '../plan/concern.ts';
import type { Conflicts, LockedRow, RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { isList } from './check-names.ts';

/** The values that a caller read, cast; x2many fields contain the ids of that time. */
export function castBase(model: Model, base: Values): Map<Field, unknown> {
  const seen = new Map<Field, unknown>();
  for (const [name, value] of Object.entries(base)) {
    const field = knownField(model, name);
    if (field.spec.secret) throw invalidArgs(`${name} cannot be read, so it has no base.`, { field: name });
    seen.set(field, isList(field) ? baseIds(field, value) : castBaseValue(field, value));
  }
  return seen;
}

/**
 * The values of `mine` that must be written: not those that the caller did not change, and not those that others have changed
 * to the same value. A field that both changed to different values goes to `conflicts`.
 */
export function mergeBase(
  row: LockedRow,
  mine: ReadonlyMap<Field, unknown>,
  base: ReadonlyMap<Field, unknown>,
  conflicts: Conflicts,
): Map<Field, unknown> {
  const merged = new Map<Field, unknown>();
  for (const [field, value] of mine) {
    if (!base.has(field)) {
      merged.set(field, value);
      continue;
    }
    const seen = base.get(field) ?? null;
    if (sameValue(field, value, seen)) continue;
    const theirs = row.values.get(field) ?? null;
    if (sameValue(field, theirs, seen) || sameValue(field, theirs, value)) merged.set(field, value);
    else conflicts[field.name] = { base: seen, mine: value, theirs };
  }
  return merged;
}

function throwConflicts(model: Model, id: number | undefined, conflicts: Conflicts): void {
  const names = Object.keys(conflicts);
  if (names.length === 0) return;
  const labels = names.map((name) => model.fields.get(name)?.label ?? name).join(', ');
  throw new KontorError('CONFLICT', text('Someone else changed {fields} in the meantime.', { fields: labels }), {
    model: model.name,
    ...(id === undefined ? {} : { id }),
    fields: conflicts,
  });
}

function castBaseValue(field: Field, value: unknown): unknown {
  try {
    return field.kind.cast(value ?? null, field) ?? null;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw invalidArgs(`base.${field.name}: ${error.message}`, { field: field.name });
  }
}

function baseIds(field: Field, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every((id) => Number.isSafeInteger(id))) return value as number[];
  throw invalidArgs(`base.${field.name} must be the array of ids that were there.`, { field: field.name });
}

/** A caller who passes the values they read does not overwrite changes by others since. */
export const base: Concern = {
  name: 'base',
  plan({ base: names, given }) {
    if (names.size === 0) return null;
    const row = { kind: 'change', run: mergeRows } as const;
    const fields = [...given].filter(({ name }) => names.has(name));
    if (fields.length < names.size) return { row };
    const statement: StatementSteps = {
      values({ base: raw, values, seen }) {
        for (const field of fields) {
          // Values that the caller did not change are not written, whatever they are by now.
          if (!castInto(seen, field, raw?.[field.name] ?? null)) return false;
          if (sameValue(field, values.get(field), seen.get(field))) return false;
        }
        return true;
      },
      holds: ({ old, seen, given: mine }) =>
        fields.map(
          (field) =>
            sql`(${old(field)} is not distinct from ${seen(field)} or ${old(field)} is not distinct from ${mine(field)})`,
        ),
    };
    return { row, statement: () => statement };
  },
};

function mergeRows(run: WriteRun): void {
  run.asked = run.asked.map((change, at) => mergeRow(run.model, change, run.rows[at]?.base));
  run.changes = run.asked;
}

function mergeRow(model: Model, change: RowChange, given: Values | undefined): RowChange {
  if (given === undefined) return change;
  const seen = castBase(model, given);
  const merged = mergeBase(change.now, change.cast.columns, seen, change.conflicts);
  return { ...change, base: seen, changed: new Map([...change.changed].filter(([field]) => merged.has(field))) };
}

/** Rejects a write that conflicts with changes by others, in its columns or its lists. */
export const conflicts: Concern = {
  name: 'conflicts',
  plan: ({ base: names }) =>
    names.size === 0 ? null : { row: { kind: 'change', run: refuse }, statement: () => ({}) },
};

function refuse({ model, asked }: WriteRun): void {
  for (const change of asked) throwConflicts(model, change.id, change.conflicts);
}
