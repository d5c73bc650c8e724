import { useRef } from 'react';
import type { GroupRow, Money } from '../../door/index.ts';

/** One row of the table, of any kind. All rows are equally high. */
export type Row =
  | { readonly kind: 'record'; readonly key: string; readonly id: number; readonly depth: number }
  /** Exists, but is not loaded yet. */
  | { readonly kind: 'wait'; readonly key: string }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly depth: number;
      readonly groupBy: string;
      readonly row: GroupRow;
      readonly isOpen: boolean;
      /** Its sums by currency, if there are several. */
      readonly money?: Money | undefined;
    };

/** The rows of a list; those that are not loaded are fetched when they come near the viewport. */
export interface Rows {
  readonly count: number;
  at(index: number): Row;
  /** Loaded ids, in order. */
  readonly ids: readonly number[];
  indexOf(id: number): number;
  /** Reports which rows are visible. */
  see(first: number, last: number): void;
  /** The groups shown; a waiting one is open, but its content is not loaded yet. */
  readonly groups: readonly { readonly key: string; readonly isOpen: boolean; readonly isWaiting: boolean }[];
  toggleGroup(key: string): void;
  /** Shows a row at another index before the server confirms it. */
  move(id: number, to: number): void;
}

/**
 * Keeps rows in place while a cell is edited: rows that others add, move or delete are applied afterwards. Values still
 * update.
 */
export function useHeldRows(rows: Rows, isHeld: boolean): Rows {
  const held = useRef<Rows | null>(null);
  if (!isHeld) held.current = null;
  else held.current ??= rows;
  return held.current ?? rows;
}

/** As many as a workspace contains, so that it fills the first page. */
export const pageSize = 80;
