import { useRef } from 'react';
import type { Row, Rows } from './rows.ts';

/**
 * While a cell is under edit its row stays where it is: what others add, move or take away comes when the person is done. The
 * values of the other rows go on changing.
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
