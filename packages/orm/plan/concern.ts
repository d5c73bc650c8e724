import type { Sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { WriteRun } from './write-run.ts';

/** A write before it has values: who writes which fields of which model. */
export interface PlannedWrite {
  /**
   * Used only for rights and registry. A plan is cached and serves many calls: nothing that differs between them may
   * enter it, and no step may keep a reference to this env.
   */
  readonly env: Env;
  readonly model: Model;
  readonly operation: WriteRun['operation'];
  /** `restore` restores records: an undo, or the effect of a deletion. */
  readonly purpose: 'call' | 'restore';
  /** A move was called by its name. */
  readonly isCalled: boolean;
  /** The records are deleted with others that they belong to: the caller's rights on them are not checked. */
  readonly isCascade: boolean;
  /** Fields that some row of the call sets. */
  readonly given: ReadonlySet<Field>;
  /** Fields that every row of the call sets. */
  readonly always: ReadonlySet<Field>;
  /** Names of the fields for which the caller sent a base value. */
  readonly base: ReadonlySet<string>;
  /** All fields that may be written: the given ones, and those that earlier concerns add. */
  readonly fields: ReadonlySet<Field>;
}

/** One aspect that a write must respect: a right, a lock, a constraint. */
export interface Concern {
  readonly name: string;
  /** Called once per plan, never with a value or a record. Null: it does not apply to this write. */
  plan(write: PlannedWrite): Steps | null;
}

/** The steps of a concern for a write. The steps of one stage run in the order of the concerns. */
export interface Steps {
  /** Fields that it fills in. */
  readonly adds?: readonly Field[];
  /** Its code may set any field: after `before`, the write is planned again with the fields set by then. */
  readonly isOpen?: boolean;
  /** Columns that are read with the lock of the row. */
  readonly reads?: readonly Field[];
  /** Its part of a statement that does the whole write. Without it, the write is never one statement. */
  readonly statement?: (env: Env) => StatementSteps;
  /** Rejects or casts what the caller gave. Nothing has been looked up or changed yet. */
  readonly given?: Step;
  /** Locks records of other models that must be locked first. */
  readonly hold?: Step;
  /** Changes the values. */
  readonly before?: Step;
  /** Rejects, or adds changes: for new records before the INSERT, for others under their lock. */
  readonly row?: RowStep;
  /** SQL over the row `r`, evaluated with the lock: the caller may change it. */
  readonly allows?: (env: Env) => readonly Sql[];
  /** SQL over the stored row `r`, evaluated by the INSERT or UPDATE: the caller may have it. */
  readonly stays?: (env: Env) => Sql | null;
  /** Before records are deleted: work that needs them to exist. */
  readonly detach?: Step;
  /** Writes or records the consequences of the stored rows, or of the deletion. */
  readonly after?: Step;
}

type Step = (run: WriteRun) => void | Promise<void>;

export interface RowStep {
  /** A check may also run after the UPDATE, on the rows it returns. A change must run before it. */
  readonly kind: 'check' | 'change';
  run(run: WriteRun): void | Promise<void>;
  /** The same for one new record as conditions of its INSERT, which is then tried first. */
  readonly insertsIf?: (run: WriteRun) => readonly Sql[];
}

export interface StatementSteps {
  /** Casts or fills the values. False: something is invalid, and the ordinary path reports what. */
  readonly values?: (row: GivenRow) => boolean;
  /** Conditions on the current row; true if nothing prevents the write. */
  readonly holds?: (row: RowSql) => readonly Sql[];
  /** A condition on the written row: if it is not true, the statement fails. */
  readonly stays?: (alias: string) => Sql | null;
}

/** The values of one call for a statement. */
export interface GivenRow {
  readonly given: Values;
  readonly base: Values | null;
  /** The user and the time of the write. */
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
