import { useCallback, useMemo, useState } from 'react';
import { currentPlace, recallPlace, rememberPlace } from '../../door/index.ts';
import type { CellPlace } from '../table/keys.ts';

const start: CellPlace = { row: 0, column: 0 };

export interface ActiveCell {
  /** The cell that is the tab stop of the grid. */
  readonly cell: CellPlace;
  /** Incremented when the focus should follow. */
  readonly moves: number;
  move(row: number, column: number): void;
  /** The same cell at another index, which already has the focus. */
  stay(row: number): void;
}

/** Restores the focused cell when the user comes back. */
export function useActiveCell(placeKey: string): ActiveCell {
  const key = `${placeKey}#cell`;
  const [state, setState] = useState(() => {
    const before = recallPlace<CellPlace | null>(key, null);
    return { ...(before ?? start), moves: before && currentPlace().isBack ? 1 : 0 };
  });
  const move = useCallback(
    (row: number, column: number) => {
      rememberPlace(key, { row, column });
      setState((now) => ({ row, column, moves: now.moves + 1 }));
    },
    [key],
  );
  const stay = useCallback(
    (row: number) => {
      rememberPlace(key, { ...recallPlace(key, start), row });
      setState((now) => ({ ...now, row }));
    },
    [key],
  );
  return useMemo(
    () => ({ cell: { row: state.row, column: state.column }, moves: state.moves, move, stay }),
    [state, move, stay],
  );
}
