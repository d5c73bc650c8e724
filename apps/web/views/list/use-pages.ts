import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { remember } from '../../data/records.ts';
import { searchRead } from '../../data/rpc.ts';
import { whileBusy } from '../../state/idle.ts';
import type { Row, Rows } from './rows.ts';

/** As many as a workspace brings: its first page is whole. */
const pageSize = 80;
/** One request at a time, so that the next one is for what is visible by then. */
const atOnce = 1;

interface Pages {
  /** By position in the list; holes are not loaded. */
  ids: (number | undefined)[];
  /** Pages that must be asked for again, because something changed since. */
  stale: Set<number>;
  running: Set<number>;
  seen: { first: number; last: number };
}

/** An ungrouped list: every row has its place from the start, and pages are fetched as they come into sight. */
export function usePages(workspace: WorkspacePayload, isEnabled: boolean): Rows {
  const pages = useRef<Pages>({ ids: [], stale: new Set(), running: new Set(), seen: { first: 0, last: 0 } });
  const current = useRef(workspace);
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  const merged = useRef<WorkspacePayload | null>(null);
  const key = rowsKey(workspace);
  const keyBefore = useRef(key);
  if (merged.current !== workspace && isEnabled) {
    if (keyBefore.current !== key)
      pages.current = { ids: [], stale: new Set(), running: new Set(), seen: pages.current.seen };
    takePayload(pages.current, workspace);
    merged.current = workspace;
    keyBefore.current = key;
  }
  current.current = workspace;
  const fetchSeen = useRef(() => {});
  fetchSeen.current = () => {
    const { seen, running, stale } = pages.current;
    for (let page = Math.floor(seen.first / pageSize); page <= Math.floor(seen.last / pageSize); page++) {
      if (running.size >= atOnce) return;
      const isWhole = !hasHole(pages.current.ids, page, current.current.listTotal);
      if (running.has(page) || (isWhole && !stale.has(page))) continue;
      void fetchPage(page);
    }
  };
  const fetchPage = async (page: number) => {
    const mine = pages.current;
    const { model, arch, listSort } = current.current;
    mine.running.add(page);
    const order = listSort ? { order: listSort } : {};
    const isQuiet = !hasHole(mine.ids, page, current.current.listTotal);
    try {
      const options = { limit: pageSize, offset: page * pageSize, ...order };
      const found = await whileBusy(searchRead(model, arch.domain ?? [], arch.paths ?? [], options, { isQuiet }));
      remember(model, found);
      for (const [at, { id }] of found.entries()) mine.ids[page * pageSize + at] = id;
    } catch {
      // The connection notice tells; the rows stay open and are asked for again when the list is touched.
    } finally {
      mine.running.delete(page);
      mine.stale.delete(page);
      if (pages.current === mine) {
        redraw();
        fetchSeen.current();
      }
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new payload may have made what is in sight stale.
  useEffect(() => {
    if (isEnabled) fetchSeen.current();
  }, [workspace, isEnabled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the pages hold.
  return useMemo(() => toRows(pages.current, workspace, fetchSeen, redraw), [workspace, version]);
}

function toRows(
  pages: Pages,
  { listTotal }: WorkspacePayload,
  fetchSeen: { current: () => void },
  redraw: () => void,
): Rows {
  const { ids } = pages;
  return {
    count: listTotal,
    at(index): Row {
      const id = ids[index];
      return id === undefined
        ? { kind: 'wait', key: `wait-${index}` }
        : { kind: 'record', key: String(id), id, depth: 0 };
    },
    ids: ids.slice(0, listTotal).filter((id) => id !== undefined),
    indexOf: (id) => ids.indexOf(id),
    see(first, last) {
      pages.seen = { first, last: Math.min(last, listTotal - 1) };
      fetchSeen.current();
    },
    toggleGroup: () => {},
    loadMore: () => {},
    move(id, to) {
      ids.splice(ids.indexOf(id), 1);
      ids.splice(to, 0, id);
      redraw();
    },
  };
}

/** What was fetched for one search is worth nothing for another. */
function rowsKey({ model, listSort, arch }: WorkspacePayload): string {
  return JSON.stringify([model, listSort, arch.domain]);
}

function takePayload(pages: Pages, { records, listOffset, listTotal }: WorkspacePayload): void {
  pages.ids.length = Math.min(pages.ids.length, listTotal);
  for (let page = 0; page * pageSize < pages.ids.length; page++) pages.stale.add(page);
  for (const [at, { id }] of records.entries()) pages.ids[listOffset + at] = id;
  const first = Math.floor(listOffset / pageSize);
  const isAll =
    listOffset === first * pageSize && (records.length >= pageSize || listOffset + records.length >= listTotal);
  if (isAll) pages.stale.delete(first);
}

function hasHole(ids: readonly (number | undefined)[], page: number, total: number): boolean {
  const end = Math.min((page + 1) * pageSize, total);
  for (let at = page * pageSize; at < end; at++) if (ids[at] === undefined) return true;
  return false;
}
