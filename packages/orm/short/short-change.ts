import { type Sql, slot, sql } from '@kontor/database';
import { BadValue } from '../fields/kind.ts';
import type { Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';

/** One change that somebody outside asks for. */
export type OneChange =
  | { readonly operation: 'create'; readonly values: Values }
  | { readonly operation: 'write'; readonly id: number; readonly values: Values; readonly base: Values | null };

/** What the statement of a short change is filled with. */
export interface ShortRow {
  readonly id: number;
  /** The moment of the change. */
  readonly now: string;
  /** One parameter for each field of the plan. */
  readonly cells: readonly unknown[];
  /** What the caller saw in those fields of the plan that have a base. */
  readonly base: readonly unknown[];
  /** The change of a new record as JSON. */
  readonly json: string;
}

/** The change of one record in one statement, for everyone with the same rights who names the same fields. */
export interface ShortPlan {
  readonly model: Model;
  /** Fields that it sets. */
  readonly fields: readonly Field[];
  /**
   * Queries of a `with`. The last is `changed`, with `id`, `company_id` and `values` (the change as JSON) of the record if it was
   * changed.
   */
  readonly with: readonly Sql[];
  /** The record's id; null where something is in the way. */
  readonly id: Sql;
  /** Null: something is wrong with the values. */
  row(change: OneChange, now: Date): ShortRow | null;
}

/** The slots of a short statement are filled from an object with its row. */
export function rowSlot(take: (row: ShortRow) => unknown) {
  return slot(({ row }: { readonly row: ShortRow }) => take(row));
}

/** A condition that fails the whole statement, and takes it back, where it does not hold. */
export function orFail(condition: Sql): Sql {
  return sql`1 / (case when (${condition}) is true then 1 else 0 end)`;
}

/** The cast value; undefined where the field refuses it. */
export function castOrNone(field: Field, value: unknown): unknown {
  try {
    return field.kind.cast(value, field) ?? null;
  } catch (error) {
    if (error instanceof BadValue) return undefined;
    throw error;
  }
}
