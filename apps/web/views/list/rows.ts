import { useRef } from 'react';
import type { GroupRow, Money } from '../../door/index.ts';

/** One line of the table, whatever it shows. All lines are equally high. */
export type Row =
  | { readonly kind: 'record'; readonly key: string; readonly id: number; readonly depth: number }
  /** Known to be there, not loaded yet. */
  | { readonly kind: 'wait'; readonly key: string }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly depth: number;
      readonly groupBy: string;
      readonly row: GroupRow;
      readonly isOpen: boolean;
      /** Its sums by currency, where there are several. */
      readonly money?: Money | undefined;
    };

/** The lines of a list as they are now; those that are not loaded are fetched when they come near the window. */
export interface Rows {
  readonly count: number;
  at(index: number): Row;
  /** Ids that are loaded, in order. */
  readonly ids: readonly number[];
  indexOf(id: number): number;
  /** Tells which lines are in sight. */
  see(first: number, last: number): void;
  /** Groups that are shown; those that wait are open, and what they hold is not known yet. */
  readonly groups: readonly { readonly key: string; readonly isOpen: boolean; readonly isWaiting: boolean }[];
  toggleGroup(key: string): void;
  /** Shows a row at another index before the server has it there. */
  move(id: number, to: number): void;
}

/**
 * Keeps the rows in place while a cell is under edit: rows that others add, move or delete follow afterwards. Values still
 * change.
 */
export function useHeldRows(rows: Rows, isHeld: boolean): Rows {
  const held = useRef<Rows | null>(null);
  if (!isHeld) held.current = null;
  else held.current ??= rows;
  return held.current ?? rows;
}

/** As many as a workspace brings: its first page is whole. */
export const pageSize = 80;
