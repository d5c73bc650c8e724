import type { WorkspacePayload } from '@kontor/protocol';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { showError } from '../../data/changes.ts';
import { remember } from '../../data/records.ts';
import { readGroup, searchRead } from '../../data/rpc.ts';
import { recallPlace, rememberPlace } from '../../navigation/place-memory.ts';
import { whileBusy } from '../../state/idle.ts';
import { drawInFrame } from '../../ui/frame-drawing.ts';
import { hasMixedMoney, moneyByGroup } from '../money.ts';
import { columnMeasures } from '../table/columns.ts';
import { type GroupContent, type GroupTree, groupAt, rowsOf, type Stretch, stretchesOf } from './group-rows.ts';
import { noIds, pageOptions, pageToLoad, type Rows, withIds, withStale } from './rows.ts';

/**
 * A grouped list: what a group holds is asked for when it is opened, and again when something changed. Every record of an open group has
 * its place from the start, and pages are fetched as they come into sight.
 */
export function useGroups(workspace: WorkspacePayload, placeKey: string): Rows {
  const tree = useRef<GroupTree>(recallPlace(placeKey, emptyTree()));
  const keyNow = useRef(placeKey);
  if (keyNow.current !== placeKey) {
    keyNow.current = placeKey;
    tree.current = recallPlace(placeKey, emptyTree());
  }
  const current = useRef(workspace);
  current.current = workspace;
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  const load = useCallback(async (path: string, isQuiet: boolean) => {
    const mine = tree.current;
    const content = await whileBusy(loadGroups(current.current, mine, path, isQuiet));
    if (content && tree.current === mine) {
      mine.content.set(path, content);
      redraw();
    }
  }, []);
  const pages = useGroupPages(current, tree, redraw);
  useEffect(() => {
    rememberPlace(placeKey, tree.current);
    if (!workspace.arch.groups) return;
    for (const [path, content] of tree.current.content) {
      if (content.pages) tree.current.content.set(path, { pages: withStale(content.pages) });
    }
    for (const path of tree.current.open) void load(path, true);
    pages.fetchSeen();
    void whileBusy(loadMoney(workspace, tree.current)).then((isNew) => isNew && redraw());
  }, [workspace, placeKey, load, pages]);
  const toggleGroup = useCallback(
    (path: string) => {
      const { open, content } = tree.current;
      if (open.has(path)) open.delete(path);
      else {
        open.add(path);
        if (!content.has(path)) void load(path, false);
      }
      redraw();
    },
    [load],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the tree holds.
  return useMemo((): Rows => {
    const stretches = stretchesOf(workspace.arch.groups ?? [], workspace.arch.groupBy ?? [], tree.current);
    return rowsOf(stretches, {
      see: (first: number, last: number) => pages.see(stretches, first, last),
      move: () => {},
      toggleGroup,
    });
  }, [workspace, version, toggleGroup, pages]);
}

interface GroupPages {
  see(stretches: readonly Stretch[], first: number, last: number): void;
  fetchSeen(): void;
}

/** Fetches the records of open groups that are in sight, one page at a time, so that the next one is for what is visible by then. */
function useGroupPages(
  workspace: { readonly current: WorkspacePayload },
  tree: { readonly current: GroupTree },
  redraw: () => void,
): GroupPages {
  return useMemo(() => {
    let seen: { readonly stretches: readonly Stretch[]; readonly first: number; readonly last: number } | null = null;
    let isLoading = false;
    const fetchSeen = (last?: WantedPage) => {
      const wanted = seen && !isLoading ? wantedPage(seen, tree.current) : null;
      // One that came with fewer rows than there should be is not asked for over and over.
      const isSame = wanted?.path === last?.path && wanted?.page === last?.page;
      if (wanted && !isSame) void fetchPage(wanted);
    };
    const fetchPage = async (wanted: WantedPage) => {
      const { path, page, hasHole } = wanted;
      const mine = tree.current;
      const { arch, model, listSort } = workspace.current;
      const group = groupAt(arch.groups ?? [], arch.groupBy ?? [], mine, path);
      if (!group) return;
      const options = { ...pageOptions(page), ...(listSort ? { order: listSort } : {}) };
      isLoading = true;
      try {
        const asked = searchRead(model, group.row.__domain, arch.paths ?? [], options, { isQuiet: !hasHole });
        const found = await whileBusy(asked);
        remember(model, found);
        const ids = found.map(({ id }) => id);
        const before = mine.content.get(path)?.pages ?? noIds;
        const total = options.offset + ids.length;
        mine.content.set(path, { pages: withIds(before, options.offset, ids, total) });
      } catch (error) {
        if (hasHole) showError(error);
        return;
      } finally {
        isLoading = false;
      }
      drawInFrame(redraw);
      fetchSeen(wanted);
    };
    return {
      fetchSeen: () => fetchSeen(),
      see(stretches, first, last) {
        seen = { stretches, first, last };
        fetchSeen();
      },
    };
  }, [workspace, tree, redraw]);
}

interface WantedPage {
  readonly path: string;
  readonly page: number;
  readonly hasHole: boolean;
}

function wantedPage(
  { stretches, first, last }: { stretches: readonly Stretch[]; first: number; last: number },
  tree: GroupTree,
): WantedPage | null {
  for (const { start, count, records } of stretches) {
    if (!records || start > last || start + count <= first) continue;
    const pages = tree.content.get(records.path)?.pages ?? noIds;
    const next = pageToLoad(pages, { first: first - start, last: last - start, total: count });
    if (next) return { path: records.path, ...next };
  }
  return null;
}

function emptyTree(): GroupTree {
  return { open: new Set(), content: new Map(), money: new Map() };
}

/** The outermost groups come with the screen; what they hold of each currency is asked for where it matters. */
async function loadMoney(workspace: WorkspacePayload, tree: GroupTree): Promise<boolean> {
  const [by] = workspace.arch.groupBy ?? [];
  if (by === undefined || !hasMixedMoney(workspace)) return false;
  const money = await moneyByGroup(workspace, { domain: workspace.arch.domain ?? [], by }).catch(() => null);
  if (money) tree.money.set('', money);
  return money !== null;
}

/** The groups of the next level; null: there is none, its records are fetched as they come into sight. */
async function loadGroups(
  workspace: WorkspacePayload,
  tree: GroupTree,
  path: string,
  isQuiet: boolean,
): Promise<GroupContent | null> {
  const { model, arch } = workspace;
  const groupBy = arch.groupBy ?? [];
  const group = groupAt(arch.groups ?? [], groupBy, tree, path);
  const next = group && groupBy[group.depth + 1];
  if (!group || next === undefined || next === null) return null;
  const domain = group.row.__domain;
  try {
    const fields = columnMeasures(arch, next);
    const [rows, money] = await Promise.all([
      readGroup(model, { domain, groupby: [next], fields }, { isQuiet }),
      hasMixedMoney(workspace) ? moneyByGroup(workspace, { domain, by: next }) : null,
    ]);
    if (money) tree.money.set(path, money);
    return { groups: rows };
  } catch (error) {
    if (!isQuiet) showError(error);
    return null;
  }
}
