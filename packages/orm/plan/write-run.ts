import type { Env, Field, Model, Move } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { AskedRow, CalledMove, Casts, LaterStage, ListPlan, LockedRow, Named, RowChange } from './row-change.ts';

/** Records on their way through the steps of a plan. Each step reads what those before it left here. */
export interface WriteRun {
  readonly env: Env;
  readonly model: Model;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly purpose: 'call' | 'restore';
  /** Names of fields that server code lets the caller set. */
  readonly granted: ReadonlySet<string>;
  readonly called: CalledMove | undefined;
  /** Rows that the caller locked right before; null: none. */
  readonly locked: ReadonlyMap<number, LockedRow> | null;
  /** Values as the caller gave them. */
  readonly given: readonly Values[];
  /** Of a deletion: the records go with others. */
  readonly isCascade: boolean;
  /** Of a deletion: ids that are being deleted, by model. It ends circles of references. */
  readonly going: ReadonlyMap<Model, ReadonlySet<number>>;
  /** Deletes records that belong to those of this deletion. */
  readonly cascade: (model: Model, ids: readonly number[]) => Promise<void>;
  /** New records have none until they are stored. */
  ids: readonly number[];
  named: Named;
  /** The rows with their values, as hooks and defaults leave them. */
  rows: readonly AskedRow[];
  casts: Casts;
  /** What was asked, compared with the stored rows. */
  asked: readonly RowChange[];
  /** The same with all that follows from it. Of new records, all their values are in `cast`. */
  changes: readonly RowChange[];
  /** Moves that records make, by id. */
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
  /** Names of the fields that changed, lists among them; of new records, those that have a value. */
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
