import { useCallback, useMemo, useState } from 'react';
import { currentPlace, recallPlace, rememberPlace } from '../../door/index.ts';
import type { CellPlace } from '../table/keys.ts';

const start: CellPlace = { row: 0, column: 0 };

export interface ActiveCell {
  /** The one cell of the grid that the Tab key reaches. */
  readonly cell: CellPlace;
  /** Counts up when the focus should follow. */
  readonly moves: number;
  move(row: number, column: number): void;
  /** The same cell in another place: the focus is where it belongs already. */
  stay(row: number): void;
}

/** Who comes back finds the focus where it was. */
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
