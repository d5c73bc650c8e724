import type { Env, Field, Model, Move } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { AskedRow, CalledMove, Casts, LaterStage, ListPlan, LockedRow, Named, RowChange } from './row-change.ts';

/** The state of a write while the steps of its plan run. Each step reads the results of earlier ones here. */
export interface WriteRun {
  readonly env: Env;
  readonly model: Model;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly purpose: 'call' | 'restore';
  /** Names of fields that server code lets the caller set. */
  readonly granted: ReadonlySet<string>;
  readonly called: CalledMove | undefined;
  /** Rows that the caller has just locked; null: none. */
  readonly locked: ReadonlyMap<number, LockedRow> | null;
  /** Values as given by the caller. */
  readonly given: readonly Values[];
  /** For a deletion: the records are deleted with others. */
  readonly isCascade: boolean;
  /** For a deletion: ids that are being deleted, by model. It ends cycles of references. */
  readonly going: ReadonlyMap<Model, ReadonlySet<number>>;
  /** Deletes records that belong to those of this deletion. */
  readonly cascade: (model: Model, ids: readonly number[]) => Promise<void>;
  /** New records have none until they are stored. */
  ids: readonly number[];
  named: Named;
  /** The rows with their values, as left by hooks and defaults. */
  rows: readonly AskedRow[];
  casts: Casts;
  /** The requested values, compared with the stored rows. */
  asked: readonly RowChange[];
  /** The same with all consequences. For new records, all their values are in `cast`. */
  changes: readonly RowChange[];
  /** Moves of the records, by id. */
  moves: ReadonlyMap<number, Move>;
  /** Stages that new records move to at the end. */
  later: readonly LaterStage[];
  /** Edits of lists, given and computed. */
  lists: readonly ListPlan[];
  /** Changes of many2manys by record. */
  linked: ReadonlyMap<number, ReadonlyMap<Field, FieldChange>>;
  /** Records whose rows or links changed. */
  updated: readonly RowChange[];
  /** Ids of those, and of records whose lines changed. */
  touched: ReadonlySet<number>;
  /** Names of the changed fields, including lists; for new records, those with a value. */
  changed: ReadonlySet<string>;
  /** Names of the stored computes that are written with the rows: they are up to date. */
  computed: ReadonlySet<string>;
  /** Ids of stored rows for which `stays` is not true. */
  doubtful: readonly number[];
}

type Start = Pick<WriteRun, 'env' | 'model' | 'operation' | 'ids' | 'given' | 'rows'>;

export function startRun(start: Start & Partial<WriteRun>): WriteRun {
  return {
    ...{ purpose: 'call', granted: nothing, called: undefined, locked: null, isCascade: false, going: new Map() },
    cascade: async () => {},
    named: { names: new Set(), linked: new Set(), nested: new Map() },
    ...{ casts: new Map(), asked: [], changes: [], moves: new Map(), later: [], lists: [], linked: new Map() },
    ...{ updated: [], touched: new Set(), changed: nothing, computed: nothing, doubtful: [] },
    ...start,
  };
}

const nothing: ReadonlySet<string> = new Set();
