import type { Sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';

/** A write before it has values: who writes which fields of which model. */
export interface PlannedWrite {
  /** Read for rights and registry alone: a plan serves many calls, so nothing that differs between them may enter it. */
  readonly env: Env;
  readonly model: Model;
  readonly operation: 'create' | 'write';
  /** Fields that the caller names. */
  readonly given: ReadonlySet<Field>;
  /** Fields of which the caller says what they saw in them. */
  readonly base: ReadonlySet<Field>;
  /** All fields that may be written: the given ones, and those that earlier concerns add. */
  readonly fields: ReadonlySet<Field>;
}

/** One thing that a write must respect: a right, a lock, a constraint. */
export interface Concern {
  readonly name: string;
  /** Called once for a plan, never with a value or a record. Null: this write is not its business. */
  plan(write: PlannedWrite): Steps | null;
}

/** `values` sees only values; `before` may change them; `row` sees the locked row; `after` and `settle` what is stored. */
export type Stage = 'values' | 'before' | 'row' | 'after' | 'settle';

/** What a concern does about a write. */
export interface Steps {
  /** Fields that it fills in. */
  readonly adds?: readonly Field[];
  /** Stages in which it runs code that SQL cannot replace. With any of them, the write is never one statement. */
  readonly runs?: readonly Stage[];
  /** Casts or fills the values of a statement. False: something is wrong, and the full way says what. */
  readonly values?: (row: GivenRow) => boolean;
  /** SQL over the stored row that is true when nothing is in the way. */
  readonly holds?: (row: RowSql) => readonly Sql[];
  /** SQL over the row as it was written that must be true, or the write is taken back. */
  readonly stays?: (alias: string) => Sql | null;
}

/** The values of one call on their way into a statement. */
export interface GivenRow {
  readonly given: Values;
  readonly base: Values | null;
  /** Who writes, and when. */
  readonly situation: Pick<Env, 'uid' | 'actor' | 'now'>;
  /** Cast, by field. */
  readonly values: Map<Field, unknown>;
  readonly seen: Map<Field, unknown>;
}

/** The row of a statement in SQL. */
export interface RowSql {
  old(field: Field): Sql;
  /** The value that is written. */
  given(field: Field): unknown;
  /** The value that the caller saw. */
  seen(field: Field): unknown;
  /** The value after the write, whether it is written or not. */
  after(field: Field): unknown;
}

export function namesOf(fields: Iterable<Field>): string[] {
  return [...fields].map((field) => field.name);
}
