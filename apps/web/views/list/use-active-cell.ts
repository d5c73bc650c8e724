import { useCallback, useMemo, useState } from 'react';

export interface ActiveCell {
  /** The one cell of the grid that the Tab key reaches. */
  readonly cell: { readonly row: number; readonly column: number };
  /** Counts up when the focus should follow. */
  readonly moves: number;
  move(row: number, column: number): void;
  /** The same cell in another place: the focus is where it belongs already. */
  stay(row: number): void;
}

export function useActiveCell(): ActiveCell {
  const [state, setState] = useState({ row: 0, column: 0, moves: 0 });
  const move = useCallback((row: number, column: number) => {
    setState((now) => ({ row, column, moves: now.moves + 1 }));
  }, []);
  const stay = useCallback((row: number) => setState((now) => ({ ...now, row })), []);
  return useMemo(
    () => ({ cell: { row: state.row, column: state.column }, moves: state.moves, move, stay }),
    [state, move, stay],
  );
}
