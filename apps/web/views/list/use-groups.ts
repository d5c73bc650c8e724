import type { WorkspacePayload } from '@kontor/protocol';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { showError } from '../../data/changes.ts';
import { remember } from '../../data/records.ts';
import { readGroup, searchRead } from '../../data/rpc.ts';
import { recallPlace, rememberPlace } from '../../navigation/place-memory.ts';
import { whileBusy } from '../../state/idle.ts';
import { hasMixedMoney, moneyByGroup } from '../money.ts';
import { columnMeasures } from './columns.ts';
import { flattenGroups, type GroupContent, type GroupTree, groupAt } from './group-tree.ts';
import type { Rows } from './rows.ts';

const pageSize = 80;

/** A grouped list: each group's content is loaded when it is opened, and again when something changed. */
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
  const load = useCallback(async (path: string, limit: number, isQuiet: boolean) => {
    const mine = tree.current;
    const content = await whileBusy(loadContent(current.current, mine, path, limit, isQuiet));
    if (content && tree.current === mine) {
      mine.content.set(path, content);
      redraw();
    }
  }, []);
  useEffect(() => {
    rememberPlace(placeKey, tree.current);
    if (!workspace.arch.groups) return;
    for (const path of tree.current.open) void load(path, loadedCount(tree.current, path), true);
    void whileBusy(loadMoney(workspace, tree.current)).then((isNew) => isNew && redraw());
  }, [workspace, placeKey, load]);
  const toggleGroup = useCallback(
    (path: string) => {
      const { open, content } = tree.current;
      if (open.has(path)) open.delete(path);
      else {
        open.add(path);
        if (!content.has(path)) void load(path, pageSize, false);
      }
      redraw();
    },
    [load],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for what the tree holds.
  return useMemo((): Rows => {
    const rows = flattenGroups(workspace.arch.groups ?? [], workspace.arch.groupBy ?? [], tree.current);
    const ids = rows.flatMap((row) => (row.kind === 'record' ? [row.id] : []));
    return {
      count: rows.length,
      at: (index) => rows[index] ?? { kind: 'wait', key: `wait-${index}` },
      ids,
      indexOf: (id) => rows.findIndex((row) => row.kind === 'record' && row.id === id),
      see: () => {},
      move: () => {},
      toggleGroup,
      loadMore: (path) => void load(path, loadedCount(tree.current, path) + pageSize, false),
    };
  }, [workspace, version, toggleGroup, load]);
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

function loadedCount(tree: GroupTree, path: string): number {
  return Math.max(pageSize, tree.content.get(path)?.ids?.length ?? 0);
}

/** The groups of the next level, or the records of the innermost one. */
async function loadContent(
  workspace: WorkspacePayload,
  tree: GroupTree,
  path: string,
  limit: number,
  isQuiet: boolean,
): Promise<GroupContent | null> {
  const { model, arch, listSort } = workspace;
  const groupBy = arch.groupBy ?? [];
  const group = groupAt(arch.groups ?? [], groupBy, tree, path);
  if (!group) return null;
  const domain = group.row.__domain;
  const next = groupBy[group.depth + 1];
  try {
    if (next !== undefined) {
      const fields = columnMeasures(arch, next);
      const [rows, money] = await Promise.all([
        readGroup(model, { domain, groupby: [next], fields }, { isQuiet }),
        hasMixedMoney(workspace) ? moneyByGroup(workspace, { domain, by: next }) : null,
      ]);
      if (money) tree.money.set(path, money);
      return { groups: rows };
    }
    const order = listSort ? { order: listSort } : {};
    const found = await searchRead(model, domain, arch.paths ?? [], { limit, ...order }, { isQuiet });
    remember(model, found);
    return { ids: found.map(({ id }) => id), total: Number(group.row.__count) };
  } catch (error) {
    if (!isQuiet) showError(error);
    return null;
  }
}
