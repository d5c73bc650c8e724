import type { Sql } from '@kontor/database';
import type { ComputeByValue } from '../../model/behaviour.ts';
import type { Field, Model } from '../../model/model.ts';
import type { Select } from '../select.ts';

/** What to select, and how its cells become records. Column 0 is the id. Fields that may not be read are left out. */
export interface Plan {
  readonly select: Select;
  readonly outputs: readonly Output[];
  /** Outputs that need more than the row itself: lines, and computes that read through relations. */
  readonly lines: readonly LinesOutput[];
  readonly computed: readonly ComputedOutput[];
}

export type Output = CellOutput | LinesOutput | ComputedOutput | RecordOutput;

export interface CellOutput {
  readonly type: 'cell';
  readonly key: string;
  readonly index: number;
  readonly field: Field;
  /**
   * The value for an empty cell: null behind a relation, otherwise the empty value of the type (false for a boolean).
   */
  readonly absent: unknown;
}

/** The records of an x2many, one statement for the whole page. */
export interface LinesOutput {
  readonly type: 'lines';
  readonly key: string;
  /** The column with the id of the record that has the lines. */
  readonly owner: number;
  readonly field: Field;
  /** The plan of the lines, and its column with the owner's id; null if the caller may not read the model: no lines. */
  readonly child: LinesPlan | null;
  readonly childOwner: number;
  /** Only ids, or records. */
  readonly asIds: boolean;
}

export interface LinesPlan extends Omit<Plan, 'select'> {
  /** With a slot for the ids of the owners. */
  readonly statement: Sql;
  /** Whether the statement would be the same the next time. */
  readonly isCacheable: boolean;
}

export interface ComputedOutput {
  readonly type: 'computed';
  readonly key: string;
  readonly owner: number;
  readonly model: Model;
  readonly field: Field & { readonly compute: ComputeByValue };
  /** Columns of the same row, if the compute reads nothing else; null if its paths must be loaded. */
  readonly inputs: readonly CellOutput[] | null;
  /** Relations as records rather than ids. */
  readonly asRecords: boolean;
}

/** A many2one as a record, for server code. */
export interface RecordOutput {
  readonly type: 'record';
  readonly key: string;
  readonly index: number;
  readonly outputs: readonly Output[];
}

export function makePlan(select: Select, outputs: readonly Output[]): Plan {
  const all = flatten(outputs);
  return {
    select,
    outputs,
    lines: all.filter((output) => output.type === 'lines'),
    computed: all.filter((output) => output.type === 'computed'),
  };
}

function flatten(outputs: readonly Output[]): readonly Output[] {
  return outputs.flatMap((output) => (output.type === 'record' ? flatten(output.outputs) : [output]));
}
