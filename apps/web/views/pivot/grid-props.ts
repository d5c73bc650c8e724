import type { Analysis, DrawnMeasure } from '../../door/index.ts';
import type { ComparedTables } from './figure-text.ts';
import type { Axis, AxisNode, PivotTable, ShownColumns, ShownRow } from './pivot-table.ts';
import type { PivotOrder, Share } from './state.ts';

/** The table as it is shown. */
export interface ShownPivot {
  readonly table: PivotTable;
  readonly rows: readonly ShownRow[];
  readonly across: ShownColumns;
}

export interface GridProps {
  readonly analysis: Analysis;
  readonly shown: ShownPivot;
  readonly before: ComparedTables | null;
  readonly measures: readonly DrawnMeasure[];
  readonly order: PivotOrder;
  readonly share: Share;
  /** Axis and key of the group that is being expanded. */
  readonly isOpening: string;
  toggle(axis: Axis, node: AxisNode): void;
  swap(): void;
  setOrder(order: PivotOrder): void;
  setShare(share: Share): void;
}

/** The cells of one measure in a column: its figure and, when comparing, the change. */
export interface Unit {
  readonly measure: DrawnMeasure;
  readonly isChange: boolean;
  readonly width: number;
  /** From the start of the column. */
  readonly at: number;
}

export interface Layout {
  readonly units: readonly Unit[];
  /** Width of a column with all its units. */
  readonly width: number;
  readonly nameWidth: number;
  readonly rowHeight: number;
  readonly headHeight: number;
  readonly columns: number;
}

/** A cell of the grid. Row -1 is the row of measures, lower ones are the column groups; column -1 is the row label. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** What a cell shows. */
export interface Target {
  readonly row: AxisNode;
  readonly column: AxisNode;
  readonly measure: DrawnMeasure;
  /** Other than `figure`: the label of a row, a column or a measure. */
  readonly kind: 'figure' | 'row' | 'column' | 'measure';
  readonly label: string;
}
