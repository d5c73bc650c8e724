import type { GroupRow } from '@kontor/protocol';
import { useRef } from 'react';
import type { Money } from '../money.ts';

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
    }
  | {
      readonly kind: 'more';
      readonly key: string;
      readonly depth: number;
      readonly path: string;
      readonly left: number;
    };

/** The lines of a list; those that are not loaded are fetched when they come near the window. */
export interface Rows {
  readonly count: number;
  at(index: number): Row;
  /** Ids that are loaded, in order. */
  readonly ids: readonly number[];
  indexOf(id: number): number;
  /** Tells which lines are in sight. */
  see(first: number, last: number): void;
  toggleGroup(key: string): void;
  loadMore(path: string): void;
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
  else held.current ??= copyOf(rows);
  return held.current ?? rows;
}

function copyOf(rows: Rows): Rows {
  const lines: readonly Row[] = Array.from({ length: rows.count }, (_, index) => rows.at(index));
  const places = new Map(lines.flatMap((row, index) => (row.kind === 'record' ? [[row.id, index] as const] : [])));
  return {
    ...rows,
    at: (index) => lines[index] ?? rows.at(index),
    ids: [...rows.ids],
    indexOf: (id) => places.get(id) ?? -1,
  };
}
