import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { recallPlace, rememberPlace, useDropUnmatched, type WorkspacePayload } from '../../door/index.ts';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** All matching records, loaded or not. */
  readonly isAll: boolean;
  /** With `isRange`, everything between the last selected row and this one. */
  toggle(id: number, isRange: boolean, order: readonly number[]): void;
  set(ids: Iterable<number>, isAll?: boolean): void;
  clear(): void;
}

const none: ReadonlySet<number> = new Set();

interface Chosen {
  readonly searchKey: string;
  readonly ids: ReadonlySet<number>;
  readonly isAll: boolean;
}

/** The selected rows. Another search starts empty; coming back restores those that still match. */
export function useSelection(searchKey: string, workspace: WorkspacePayload, shown: readonly number[]): Selection {
  const [state, setState] = useState<Chosen>(() =>
    recallPlace(`${searchKey}#chosen`, { searchKey, ids: none, isAll: false }),
  );
  const drop = useCallback(
    (gone: ReadonlySet<number>) =>
      setState((one) => ({ ...one, ids: new Set([...one.ids].filter((id) => !gone.has(id))), isAll: false })),
    [],
  );
  useDropUnmatched(workspace, state.ids, shown, drop);
  useEffect(() => rememberPlace(`${state.searchKey}#chosen`, state), [state]);
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
