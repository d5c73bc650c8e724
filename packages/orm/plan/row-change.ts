import type { Operation } from '@kontor/protocol';
import type { Answers } from '../model/behaviour.ts';
import type { Env, Field, Model, Move } from '../model/model.ts';
import type { RowWrite, Values } from '../model/records.ts';
import type { FieldChange } from '../model/unit-of-work.ts';

/** A list of x2many commands as one set of changes. */
export interface ListEdit {
  /** `set` or `clear` was among them: what is linked now and not linked again is removed. */
  readonly replaces: boolean;
  readonly create: readonly Values[];
  readonly update: readonly { readonly id: number; readonly values: Values; readonly base?: Values }[];
  readonly link: ReadonlySet<number>;
  readonly unlink: ReadonlySet<number>;
  readonly delete: ReadonlySet<number>;
}

/** A record with lists to edit: its values as the caller gave them and as hooks and defaults left them. */
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

/** One record of a write: what was asked, what is stored, and what differs. */
export interface RowChange extends ListRow {
  readonly now: LockedRow;
  readonly changed: ReadonlyMap<Field, FieldChange>;
}

/** A row with the values that hooks made of the given ones. */
export interface AskedRow extends RowWrite {
  readonly given: Values;
}

/** What a call names, and what nested commands do to the records of other models. */
export interface Named {
  readonly names: Set<string>;
  /** Models of which records join or leave a list. */
  readonly linked: Set<Model>;
  readonly nested: Map<Model, { readonly names: Set<string>; readonly operations: Set<Operation> }>;
}

/** A stage that a new record moves to after the insert, by a move from its first state. */
export interface LaterStage {
  /** Which of the new records. */
  readonly index: number;
  readonly stage: number;
}

export type Casts = ReadonlyMap<Values, CastRow>;

/** A row as it is now; nobody else can change it before this transaction ends. */
export interface LockedRow {
  readonly id: number;
  readonly values: ReadonlyMap<Field, unknown>;
}

/** Fields that two people changed to different values, as the caller is told of them. */
export type Conflicts = Record<string, { readonly base: unknown; readonly mine: unknown; readonly theirs: unknown }>;

/** What a list holds now, and what of it the caller may see. */
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

/** The edits of one list field for all the records that have any, in whose name they are made. */
export interface ListPlan {
  readonly env: Env;
  readonly field: Field;
  readonly changes: readonly ListChange[];
  /** The list is an editable compute: nobody asked for this change. */
  readonly isFollowed?: boolean;
}

/** A move that was called by its name, with the answers that were given. */
export interface CalledMove {
  readonly move: Move;
  readonly answers: Answers;
}
