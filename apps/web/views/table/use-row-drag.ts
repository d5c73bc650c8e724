import { type RefObject, useMemo, useState } from 'react';
import { type DragMove, useDrag } from '../../door/index.ts';

interface RowDragSpec<R> {
  readonly root: RefObject<HTMLElement | null>;
  readonly isEnabled: boolean;
  readonly label: string;
  /** The rows without the drag. */
  readonly rows: R;
  idsOf(rows: R): readonly number[];
  indexOf(rows: R, id: number): number;
  /** The rows with one of them moved before another, or to the end. */
  withMove(rows: R, id: number, before: number | null): R;
  nameOf(id: number): string;
  /** The dragged row is shown at another index: the active cell moves with it. */
  follow(from: number, to: number): void;
  drop(id: number, before: number | null, to: number): void;
}

/** Drags rows by their handle. Returns the rows as shown during the drag, and the id of the dragged row. */
export function useRowDrag<R>(spec: RowDragSpec<R>): { readonly rows: R; readonly lifted: number | null } {
  const { root, isEnabled, label, rows, idsOf, indexOf, withMove, nameOf, follow, drop } = spec;
  const [move, setMove] = useState<DragMove | null>(null);
  const moved = (next: DragMove | null) =>
    next ? withMove(rows, Number(next.item), next.before === null ? null : Number(next.before)) : rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is moved never changes.
  const shown = useMemo(() => moved(move), [rows, move]);
  const lifted = useDrag({
    root,
    isEnabled,
    layout: 'rows',
    isByHandle: true,
    lists: () => [{ key: '', label, items: idsOf(shown).map(String) }],
    nameOf: (item) => nameOf(Number(item)),
    preview(next) {
      const id = Number((next ?? move)?.item);
      follow(indexOf(shown, id), indexOf(moved(next), id));
      setMove(next);
    },
    drop(last) {
      const id = Number(last.item);
      setMove(null);
      drop(id, last.before === null ? null : Number(last.before), indexOf(moved(last), id));
    },
  });
  return { rows: shown, lifted: lifted && Number(lifted.item) };
}
