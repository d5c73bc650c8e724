import type { Sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { WriteRun } from './write-run.ts';

/** A write before it has values: who writes which fields of which model. */
export interface PlannedWrite {
  /**
   * Read for rights and registry alone. A plan is kept and serves many calls: nothing that differs between them may enter it, and
   * no step may hold on to this env.
   */
  readonly env: Env;
  readonly model: Model;
  readonly operation: WriteRun['operation'];
  /** `restore` puts records back as they were: an undo, or what follows from a deletion. */
  readonly purpose: 'call' | 'restore';
  /** A move was called by its name. */
  readonly isCalled: boolean;
  /** The records are deleted with others that they belong to: the caller's rights on them are not asked for. */
  readonly isCascade: boolean;
  /** Fields that some row of the call sets. */
  readonly given: ReadonlySet<Field>;
  /** Fields that every row of the call sets. */
  readonly always: ReadonlySet<Field>;
  /** Names of the fields of which the caller says what they saw in them. */
  readonly base: ReadonlySet<string>;
  /** All fields that may be written: the given ones, and those that earlier concerns add. */
  readonly fields: ReadonlySet<Field>;
}

/** One thing that a write must respect: a right, a lock, a constraint. */
export interface Concern {
  readonly name: string;
  /** Called once for a plan, never with a value or a record. Null: this write is not its business. */
  plan(write: PlannedWrite): Steps | null;
}

/** What a concern does about a write. The steps of one stage run in the order of the concerns. */
export interface Steps {
  /** Fields that it fills in. */
  readonly adds?: readonly Field[];
  /** Its code may set any field: after `before`, the write is planned again with the fields that are set by then. */
  readonly isOpen?: boolean;
  /** Columns that are read with the lock of the row. */
  readonly reads?: readonly Field[];
  /** What it puts into a statement that does all of a write. Without this, the write is never one statement. */
  readonly statement?: (env: Env) => StatementSteps;
  /** Refuses or casts what the caller gave. Nothing has been looked up or changed yet. */
  readonly given?: Step;
  /** Locks records of other models that must be locked first. */
  readonly hold?: Step;
  /** Changes the values. */
  readonly before?: Step;
  /** Refuses, or adds changes: of new records before the INSERT, of others under their lock. */
  readonly row?: RowStep;
  /** SQL over the row, `r`, that the lock asks: the caller may change it. */
  readonly allows?: (env: Env) => readonly Sql[];
  /** SQL over the stored row, `r`, that the INSERT or UPDATE asks: the caller may have it. */
  readonly stays?: (env: Env) => Sql | null;
  /** Before records are deleted: does what must be done while they are still there. */
  readonly detach?: Step;
  /** Writes or notes what follows from the stored rows, or from the deletion. */
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
  /** Casts or fills the values. False: something is wrong, and the full way says what. */
  readonly values?: (row: GivenRow) => boolean;
  /** Conditions on the row as it is; true when nothing is in the way. */
  readonly holds?: (row: RowSql) => readonly Sql[];
  /** A condition on the row as it was written: where it is not true, the statement fails. */
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
