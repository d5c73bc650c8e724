import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { remember } from '../../data/records.ts';
import { searchRead } from '../../data/rpc.ts';
import { whileBusy } from '../../state/idle.ts';
import { drawInFrame } from '../../ui/frame-drawing.ts';
import {
  knownIds,
  noIds,
  type PagedIds,
  pageOptions,
  pageToLoad,
  type Row,
  type Rows,
  withIds,
  withStale,
} from './rows.ts';

interface Pages {
  loaded: PagedIds;
  /** One request at a time, so that the next one is for what is visible by then. */
  isLoading: boolean;
  seen: { first: number; last: number };
}

/** An ungrouped list: every row has its place from the start, and pages are fetched as they come into sight. */
export function usePages(workspace: WorkspacePayload, isEnabled: boolean): Rows {
  const pages = useRef<Pages>({ loaded: noIds, isLoading: false, seen: { first: 0, last: 0 } });
  const current = useRef(workspace);
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  const merged = useRef<WorkspacePayload | null>(null);
  const key = rowsKey(workspace);
  const keyBefore = useRef(key);
  if (merged.current !== workspace && isEnabled) {
    if (keyBefore.current !== key) pages.current = { loaded: noIds, isLoading: false, seen: pages.current.seen };
    pages.current.loaded = withPayload(pages.current.loaded, workspace);
    merged.current = workspace;
    keyBefore.current = key;
  }
  current.current = workspace;
  const fetchSeen = useRef((_last?: number) => {});
  fetchSeen.current = (last) => {
    const { seen, loaded, isLoading } = pages.current;
    const next = isLoading ? null : pageToLoad(loaded, { ...seen, total: current.current.listTotal });
    // One that came with fewer rows than there should be is not asked for over and over.
    if (next && next.page !== last) void fetchPage(next.page, !next.hasHole);
  };
  const fetchPage = async (page: number, isQuiet: boolean) => {
    const mine = pages.current;
    const { model, arch, listSort, listTotal } = current.current;
    mine.isLoading = true;
    const options = { ...pageOptions(page), ...(listSort ? { order: listSort } : {}) };
    try {
      const found = await whileBusy(searchRead(model, arch.domain ?? [], arch.paths ?? [], options, { isQuiet }));
      remember(model, found);
      const ids = found.map(({ id }) => id);
      mine.loaded = withIds(mine.loaded, options.offset, ids, Math.min(listTotal, options.offset + ids.length));
    } catch {
      // The connection notice tells; the rows stay open and are asked for again when the list is touched.
      return;
    } finally {
      mine.isLoading = false;
    }
    if (pages.current !== mine) return;
    drawInFrame(redraw);
    fetchSeen.current(page);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload may have made what is in sight stale.
  useEffect(() => {
    if (isEnabled) fetchSeen.current();
  }, [workspace, isEnabled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the pages hold.
  return useMemo(() => toRows(pages.current, workspace, fetchSeen, redraw), [workspace, version]);
}

const noGroup = () => {};

function toRows(
  pages: Pages,
  { listTotal }: WorkspacePayload,
  fetchSeen: { current: () => void },
  redraw: () => void,
): Rows {
  const { ids } = pages.loaded;
  let known: readonly number[] | null = null;
  return {
    count: listTotal,
    at(index): Row {
      const id = ids[index];
      return id === undefined
        ? { kind: 'wait', key: `wait-${index}` }
        : { kind: 'record', key: String(id), id, depth: 0 };
    },
    get ids() {
      known ??= knownIds(ids, listTotal);
      return known;
    },
    indexOf: (id) => ids.indexOf(id),
    see(first, last) {
      pages.seen = { first, last: Math.min(last, listTotal - 1) };
      fetchSeen.current();
    },
    groups: [],
    toggleGroup: noGroup,
    move(id, to) {
      const moved = ids.filter((one) => one !== id);
      moved.splice(to, 0, id);
      pages.loaded = { ...pages.loaded, ids: moved };
      redraw();
    },
  };
}

/** What was fetched for one search is worth nothing for another. */
function rowsKey({ model, listSort, arch }: WorkspacePayload): string {
  return JSON.stringify([model, listSort, arch.domain]);
}

function withPayload({ ids }: PagedIds, { records, listOffset, listTotal }: WorkspacePayload): PagedIds {
  const kept = withStale({ ids: ids.slice(0, listTotal), stale: new Set() });
  const found = records.map(({ id }) => id);
  return withIds(kept, listOffset, found, listTotal);
}
