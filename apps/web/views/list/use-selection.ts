import { useCallback, useMemo, useRef, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** All that match, loaded or not. */
  readonly isAll: boolean;
  /** With `isRange` everything between the last choice and this one. */
  toggle(id: number, isRange: boolean, order: readonly number[]): void;
  set(ids: Iterable<number>, isAll?: boolean): void;
  clear(): void;
}

const none: ReadonlySet<number> = new Set();

/** Which rows are chosen. Another search starts with none. */
export function useSelection(searchKey: string): Selection {
  const [state, setState] = useState({ searchKey, ids: none, isAll: false });
  const last = useRef<number | null>(null);
  const ids = state.searchKey === searchKey ? state.ids : none;
  const isAll = state.searchKey === searchKey && state.isAll;
  const set = useCallback(
    (given: Iterable<number>, isEverything = false) =>
      setState({ searchKey, ids: new Set(given), isAll: isEverything }),
    [searchKey],
  );
  const toggle = useCallback<Selection['toggle']>(
    (id, isRange, order) => {
      const from = last.current === null ? -1 : order.indexOf(last.current);
      const to = order.indexOf(id);
      last.current = id;
      setState((now) => {
        const next = new Set(now.searchKey === searchKey ? now.ids : none);
        const isOn = !next.has(id);
        const between =
          isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
        for (const one of between) isOn ? next.add(one) : next.delete(one);
        return { searchKey, ids: next, isAll: false };
      });
    },
    [searchKey],
  );
  const clear = useCallback(() => set([]), [set]);
  return useMemo(() => ({ ids, isAll, toggle, set, clear }), [ids, isAll, toggle, set, clear]);
}
