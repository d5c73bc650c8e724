import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import {
  createPages,
  hasMixedMoney,
  moneyByGroup,
  type PageQuestion,
  readGroup,
  recallPlace,
  recordQuestion,
  rememberPlace,
  showPageError,
  usePagesVersion,
  type WorkspacePayload,
  whileBusy,
} from '../../door/index.ts';
import { columnMeasures } from '../table/columns.ts';
import { type GroupLevel, type GroupTree, groupAt, type RowRange, rowRanges, rowsOf } from './group-rows.ts';
import { pageSize, type Rows } from './rows.ts';

/**
 * A grouped list: the content of a group is loaded when it is opened, and again when something changes. Every record of
 * an open group has its row from the start, and pages are fetched as they become visible.
 */
export function useGroups(workspace: WorkspacePayload, placeKey: string): Rows {
  const tree = useTree(placeKey);
  const current = useRef(workspace);
  current.current = workspace;
  const [toggles, redraw] = useReducer((count: number) => count + 1, 0);
  const version = usePagesVersion(tree.levels) + usePagesVersion(tree.records);
  useEffect(() => {
    rememberPlace(placeKey, tree);
    if (!workspace.arch.groups) return;
    for (const path of tree.records.names()) askRecords(workspace, tree, path);
    for (const path of ['', ...tree.open]) askLevel(workspace, tree, path);
    tree.levels.fetchSeen();
    tree.records.fetchSeen();
  }, [workspace, placeKey, tree]);
  const toggleGroup = useCallback(
    (path: string) => {
      if (!tree.open.delete(path)) {
        tree.open.add(path);
        askLevel(current.current, tree, path);
        tree.levels.fetchSeen();
      }
      redraw();
    },
    [tree],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `toggles` stand for what the tree holds.
  return useMemo((): Rows => {
    const ranges = rowRanges(workspace.arch.groups ?? [], workspace.arch.groupBy ?? [], tree);
    return rowsOf(ranges, {
      see: (first: number, last: number) => seeLines(workspace, tree, { ranges, first, last }),
      move: () => {},
      toggleGroup,
    });
  }, [workspace, tree, version, toggles, toggleGroup]);
}

/** Each search has its own tree, which is restored when the user comes back. */
function useTree(placeKey: string): GroupTree {
  const kept = useRef<{ readonly key: string; readonly tree: GroupTree } | null>(null);
  if (kept.current?.key !== placeKey) {
    kept.current = { key: placeKey, tree: recallPlace<GroupTree | null>(placeKey, null) ?? emptyTree() };
  }
  return kept.current.tree;
}

function emptyTree(): GroupTree {
  const onError = showPageError;
  return {
    open: new Set(),
    levels: createPages({ pageSize: 1, atOnce: 6, onError }),
    records: createPages({ pageSize, onError }),
  };
}

interface SeenLines {
  readonly ranges: readonly RowRange[];
  readonly first: number;
  readonly last: number;
}

/** Loads the content of open groups that are visible. */
function seeLines(workspace: WorkspacePayload, tree: GroupTree, { ranges, first, last }: SeenLines): void {
  for (const path of tree.records.names()) tree.records.see(path, null);
  for (const { start, count, records, awaits } of ranges) {
    if (start > last || start + count <= first) continue;
    if (awaits !== undefined && !tree.levels.has(awaits)) askLevel(workspace, tree, awaits);
    if (!records) continue;
    if (!tree.records.has(records.path)) askRecords(workspace, tree, records.path);
    tree.records.see(records.path, { first: first - start, last: last - start, total: count });
  }
  tree.levels.fetchSeen();
  tree.records.fetchSeen();
}

function askRecords({ model, arch, listSort }: WorkspacePayload, tree: GroupTree, path: string): void {
  const group = groupAt(arch.groups ?? [], arch.groupBy ?? [], tree, path);
  if (!group) {
    tree.records.drop(path);
    return;
  }
  const { __domain: domain } = group.row;
  tree.records.setQuestion(path, recordQuestion({ model, domain, fields: arch.paths ?? [], order: listSort }));
}

/** Loads the groups of the next level, with sums by currency if needed; below the last level are records. */
function askLevel(workspace: WorkspacePayload, tree: GroupTree, path: string): void {
  const { arch } = workspace;
  const groupBy = arch.groupBy ?? [];
  // The outermost groups come with the screen.
  const group = path === '' ? null : groupAt(arch.groups ?? [], groupBy, tree, path);
  const by = groupBy[group ? group.depth + 1 : 0];
  const isThere = path === '' ? hasMixedMoney(workspace) : group !== null;
  if (!isThere || by === undefined) {
    tree.levels.drop(path);
    return;
  }
  tree.levels.setQuestion(path, levelQuestion(workspace, { group: group?.row ?? null, by }));
  tree.levels.see(path, { first: 0, last: 0, total: 1 });
}

interface Level {
  /** Null: the outermost level. */
  readonly group: { readonly __domain: GroupDomain } | null;
  readonly by: string;
}
type GroupDomain = NonNullable<WorkspacePayload['arch']['domain']>;

function levelQuestion(workspace: WorkspacePayload, { group, by }: Level): PageQuestion<GroupLevel> {
  const { model, arch } = workspace;
  const domain = group?.__domain ?? arch.domain ?? [];
  const converted = arch.moneyIn ? { money: arch.moneyIn.asked } : {};
  return {
    key: JSON.stringify([model, domain, by, converted]),
    ask(_range, options) {
      const groups = group
        ? readGroup(model, { domain, groupby: [by], fields: columnMeasures(arch, by), ...converted }, options)
        : null;
      const money = hasMixedMoney(workspace) ? moneyByGroup(workspace, { domain, by }) : null;
      // The outermost groups are already on screen, so a failure to load their currencies is ignored.
      const both = Promise.all([groups, group ? money : money?.catch(() => null)]);
      return whileBusy(
        both.then(([rows, sums]) => [{ ...(rows ? { groups: rows } : {}), ...(sums ? { money: sums } : {}) }]),
      );
    },
  };
}
