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
import { type GroupLevel, type GroupTree, groupAt, rowsOf, type Stretch, stretchesOf } from './group-rows.ts';
import { pageSize, type Rows } from './rows.ts';

/**
 * A grouped list: what a group holds is asked for when it is opened, and again when something changed. Every record of an open group has
 * its place from the start, and pages are fetched as they come into sight.
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
    const stretches = stretchesOf(workspace.arch.groups ?? [], workspace.arch.groupBy ?? [], tree);
    return rowsOf(stretches, {
      see: (first: number, last: number) => seeLines(workspace, tree, { stretches, first, last }),
      move: () => {},
      toggleGroup,
    });
  }, [workspace, tree, version, toggles, toggleGroup]);
}

/** Each search has a tree of its own, which is there again when the person comes back. */
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
  readonly stretches: readonly Stretch[];
  readonly first: number;
  readonly last: number;
}

/** Fetches what open groups hold that are in sight. */
function seeLines(workspace: WorkspacePayload, tree: GroupTree, { stretches, first, last }: SeenLines): void {
  for (const path of tree.records.names()) tree.records.see(path, null);
  for (const { start, count, records, awaits } of stretches) {
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

/** The groups of the next level, with what they hold of each currency where it matters; records lie under the last one. */
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
  /** Null: the outermost. */
  readonly group: { readonly __domain: GroupDomain } | null;
  readonly by: string;
}
type GroupDomain = NonNullable<WorkspacePayload['arch']['domain']>;

function levelQuestion(workspace: WorkspacePayload, { group, by }: Level): PageQuestion<GroupLevel> {
  const { model, arch } = workspace;
  const domain = group?.__domain ?? arch.domain ?? [];
  return {
    key: JSON.stringify([model, domain, by]),
    ask(_range, options) {
      const groups = group
        ? readGroup(model, { domain, groupby: [by], fields: columnMeasures(arch, by) }, options)
        : null;
      const money = hasMixedMoney(workspace) ? moneyByGroup(workspace, { domain, by }) : null;
      // The outermost groups are on screen already, also without their currencies.
      const both = Promise.all([groups, group ? money : money?.catch(() => null)]);
      return whileBusy(
        both.then(([rows, sums]) => [{ ...(rows ? { groups: rows } : {}), ...(sums ? { money: sums } : {}) }]),
      );
    },
  };
}
