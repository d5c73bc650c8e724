import type { Analysis, DrawnMeasure } from '../../door/index.ts';
import type { ComparedTables } from './figure-text.ts';
import type { Axis, AxisNode, PivotTable, ShownColumns, ShownRow } from './pivot-table.ts';
import type { PivotOrder, Share } from './state.ts';

/** The table as it stands on screen. */
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
  /** Axis and key of the group whose parts are on their way. */
  readonly isOpening: string;
  toggle(axis: Axis, node: AxisNode): void;
  swap(): void;
  setOrder(order: PivotOrder): void;
  setShare(share: Share): void;
}

/** One figure of each measure, and how it changed where it is compared, stand side by side under a column. */
export interface Unit {
  readonly measure: DrawnMeasure;
  readonly isChange: boolean;
  readonly width: number;
  /** From the start of the column. */
  readonly at: number;
}

export interface Layout {
  readonly units: readonly Unit[];
  /** Of a column, with all its units. */
  readonly width: number;
  readonly nameWidth: number;
  readonly rowHeight: number;
  readonly headHeight: number;
  readonly columns: number;
}

/** A place of the grid. Rows: -1 is the line of measures, below it the levels of columns; columns: -1 names the row. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** What stands at a place. */
export interface Target {
  readonly row: AxisNode;
  readonly column: AxisNode;
  readonly measure: DrawnMeasure;
  /** A name and not a figure: of a row, of a column, or of a measure. */
  readonly kind: 'figure' | 'row' | 'column' | 'measure';
  readonly label: string;
}
