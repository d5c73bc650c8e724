import type { Env, Field, Model } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import type { AskedRow, CalledMove, Casts, ListPlan, RowChange } from './row-change.ts';

/** A write of records on its way through the steps of its plan. Each step reads what those before it left here. */
export interface WriteRun {
  readonly env: Env;
  readonly model: Model;
  readonly ids: readonly number[];
  readonly purpose: 'call' | 'restore';
  /** Names of fields that server code lets the caller set. */
  readonly granted: ReadonlySet<string>;
  readonly called: CalledMove | undefined;
  /** The rows with their values, as hooks leave them. */
  rows: readonly AskedRow[];
  casts: Casts;
  /** What was asked, compared with the stored rows. */
  asked: readonly RowChange[];
  /** The same with all that follows from it. */
  changes: readonly RowChange[];
  /** Edits of lists, given and computed. */
  lists: readonly ListPlan[];
  /** Changes of many2manys by record. */
  linked: ReadonlyMap<number, ReadonlyMap<Field, FieldChange>>;
  /** Records whose rows or links changed. */
  updated: readonly RowChange[];
  /** Ids of those, and of records whose lines changed. */
  touched: ReadonlySet<number>;
  /** Names of the fields that changed, lists among them. */
  changed: ReadonlySet<string>;
  /** Ids of stored rows for which `stays` is not true. */
  doubtful: readonly number[];
}
