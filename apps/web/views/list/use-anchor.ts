import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';

interface AnchorOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly rows: Rows;
  readonly rowHeight: number;
  readonly first: number;
  readonly last: number;
  /** Another search is another list: it starts where it starts. */
  readonly placeKey: string;
  readonly active: ActiveCell;
}

/**
 * What others add or take away above leaves the rows in sight where they are, and the row that has the focus. At the very top,
 * with nothing touched, a new row simply appears.
 */
export function useAnchor({ scroll, rows, rowHeight, first, last, placeKey, active }: AnchorOptions): void {
  const seen = useRef<{ placeKey: string; places: ReadonlyMap<number, number> }>({ placeKey, places: new Map() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move anything.
  useLayoutEffect(() => {
    const element = scroll.current;
    if (!element || seen.current.placeKey !== placeKey) return;
    const { places } = seen.current;
    const focused = focusedRow(element, rows);
    const anchor = focused ?? (element.scrollTop > 0 ? firstLeft(places, rows) : undefined);
    const before = anchor === undefined ? undefined : places.get(anchor);
    if (anchor === undefined || before === undefined) return;
    const by = rows.indexOf(anchor) - before;
    if (by === 0) return;
    element.scrollTop += by * rowHeight;
    if (anchor === focused) active.stay(before + by);
  }, [rows]);
  useLayoutEffect(() => {
    const places = new Map<number, number>();
    for (let index = first; index <= last; index++) {
      const row = rows.at(index);
      if (row.kind === 'record') places.set(row.id, index);
    }
    seen.current = { placeKey, places };
  }, [rows, first, last, placeKey]);
}

function focusedRow(element: HTMLElement, rows: Rows): number | undefined {
  const line = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!line || !element.contains(line)) return undefined;
  const row = rows.at(Number(line.dataset.row));
  return row.kind === 'record' ? row.id : undefined;
}

/** The first of those in sight that is still there. */
function firstLeft(places: ReadonlyMap<number, number>, rows: Rows): number | undefined {
  return [...places.keys()].find((id) => rows.indexOf(id) >= 0);
}
