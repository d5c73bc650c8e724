import type { Operation } from '@kontor/protocol';
import type { Answers } from '../model/behaviour.ts';
import type { Env, Field, Model, Move } from '../model/model.ts';
import type { RowWrite, Values } from '../model/records.ts';
import type { FieldChange } from '../model/unit-of-work.ts';

/** A list of x2many commands as one set of changes. */
export interface ListEdit {
  /** `set` or `clear` was among them: current links that are not linked again are removed. */
  readonly replaces: boolean;
  readonly create: readonly Values[];
  readonly update: readonly { readonly id: number; readonly values: Values; readonly base?: Values }[];
  readonly link: ReadonlySet<number>;
  readonly unlink: ReadonlySet<number>;
  readonly delete: ReadonlySet<number>;
}

/** A record with lists to edit: its values as given by the caller and as left by hooks and defaults. */
export interface ListRow {
  readonly id: number;
  readonly given: Values;
  readonly values: Values;
  readonly cast: CastRow;
  readonly base: ReadonlyMap<Field, unknown> | null;
  readonly conflicts: Conflicts;
}

/** One row as it will be stored, and the changes of its lists. */
export interface CastRow {
  readonly columns: Map<Field, unknown>;
  readonly lists: ReadonlyMap<Field, ListEdit>;
}

/** One record of a write: what was requested, what is stored, and what differs. */
export interface RowChange extends ListRow {
  readonly now: LockedRow;
  readonly changed: ReadonlyMap<Field, FieldChange>;
}

/** A row with the values that hooks returned for the given ones. */
export interface AskedRow extends RowWrite {
  readonly given: Values;
}

/** The names in a call, and what nested commands do to the records of other models. */
export interface Named {
  readonly names: Set<string>;
  /** Models whose records join or leave a list. */
  readonly linked: Set<Model>;
  readonly nested: Map<Model, { readonly names: Set<string>; readonly operations: Set<Operation> }>;
}

/** A stage that a new record moves to after the insert, by a move from its first state. */
export interface LaterStage {
  /** The index of the new record. */
  readonly index: number;
  readonly stage: number;
}

export type Casts = ReadonlyMap<Values, CastRow>;

/** The current row; nobody else can change it before this transaction ends. */
export interface LockedRow {
  readonly id: number;
  readonly values: ReadonlyMap<Field, unknown>;
}

/** Fields that two users changed to different values, as reported to the caller. */
export type Conflicts = Record<string, { readonly base: unknown; readonly mine: unknown; readonly theirs: unknown }>;

/** The current list, and what the caller may see of it. */
export interface ListNow {
  readonly all: ReadonlySet<number>;
  readonly visible: ReadonlySet<number>;
}
/** The changes that an edit makes to the current list. */
export interface ListChange {
  readonly owner: number;
  readonly row: number;
  readonly now: ListNow;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly deleted: readonly number[];
  readonly updated: readonly RowWrite[];
  readonly created: readonly Values[];
}

/** The edits of one list field for all the records that have any, and on whose behalf they are made. */
export interface ListPlan {
  readonly env: Env;
  readonly field: Field;
  readonly changes: readonly ListChange[];
  /** The list is an editable compute: the caller did not request this change. */
  readonly isFollowed?: boolean;
}

/** A move that was called by its name, with the answers that were given. */
export interface CalledMove {
  readonly move: Move;
  readonly answers: Answers;
}
