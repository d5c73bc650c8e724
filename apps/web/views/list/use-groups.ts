import { type Arch, fieldType, type GroupRow, type WorkspacePayload } from '@kontor/protocol';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { showError } from '../../data/changes.ts';
import { remember } from '../../data/records.ts';
import { readGroup, searchRead } from '../../data/rpc.ts';
import { formatBucket } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { recallPlace, rememberPlace } from '../../navigation/place-memory.ts';
import { whileBusy } from '../../state/idle.ts';
import { groupKey, hasMixedMoney, type Money, moneyByGroup } from '../money.ts';
import { columnMeasures } from './columns.ts';
import type { Row, Rows } from './rows.ts';

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

/** What is inside an opened group: further groups, or records. */
interface GroupContent {
  readonly groups?: readonly GroupRow[];
  readonly ids?: readonly number[];
  readonly total?: number;
}

/** Which groups are open, and what is known of them, by path. */
export interface GroupTree {
  readonly open: Set<string>;
  readonly content: Map<string, GroupContent>;
  /** Sums by currency of the groups under a path, by their value. */
  readonly money: Map<string, ReadonlyMap<string, Money>>;
}

/** The way to a group through the values of its levels. */
function pathOf(parent: string, row: GroupRow, groupBy: string): string {
  return `${parent}/${JSON.stringify(row[groupBy] ?? null)}`;
}

/** The lines of the table: each group, and under those that are open their groups or records. */
export function flattenGroups(
  groups: readonly GroupRow[],
  groupBy: readonly string[],
  tree: GroupTree,
): readonly Row[] {
  const rows: Row[] = [];
  const add = (level: readonly GroupRow[], depth: number, parent: string) => {
    const by = groupBy[depth] as string;
    for (const row of level) {
      const path = pathOf(parent, row, by);
      const isOpen = tree.open.has(path);
      const money = tree.money.get(parent)?.get(groupKey(row[by]));
      rows.push({ kind: 'group', key: path, depth, groupBy: by, row, isOpen, money });
      if (isOpen) addContent(tree.content.get(path), depth + 1, path);
    }
  };
  const addContent = (content: GroupContent | undefined, depth: number, path: string) => {
    if (!content) return void rows.push({ kind: 'wait', key: `wait-${path}` });
    if (content.groups) return add(content.groups, depth, path);
    const ids = content.ids ?? [];
    for (const id of ids) rows.push({ kind: 'record', key: `${path}#${id}`, id, depth });
    const left = (content.total ?? 0) - ids.length;
    if (left > 0) rows.push({ kind: 'more', key: `more-${path}`, depth, path, left });
  };
  if (groupBy.length > 0) add(groups, 0, '');
  return rows;
}

/** The group at a path, and how deep it lies; null when it is no longer there. */
export function groupAt(
  groups: readonly GroupRow[],
  groupBy: readonly string[],
  tree: GroupTree,
  path: string,
): { readonly row: GroupRow; readonly depth: number } | null {
  let level: readonly GroupRow[] = groups;
  let parent = '';
  for (let depth = 0; depth < groupBy.length; depth++) {
    const by = groupBy[depth] as string;
    const row = level.find((one) => {
      const own = pathOf(parent, one, by);
      return path === own || path.startsWith(`${own}/`);
    });
    if (!row) return null;
    parent = pathOf(parent, row, by);
    if (parent === path) return { row, depth };
    level = tree.content.get(parent)?.groups ?? [];
  }
  return null;
}

/** What a group of `read_group` is called. */
export function groupName(arch: Arch, groupBy: string, row: GroupRow): string {
  const value = row[groupBy];
  const name = row[`${groupBy}.display_name`];
  if (typeof name === 'string') return name;
  if (value === null || value === undefined || value === '') return t('None');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const [field = '', granularity] = groupBy.split(':');
  if (granularity) return formatBucket(String(value));
  const known = arch.fields.find((one) => one.name === field);
  const type = fieldType(known?.type);
  const label = known?.selection?.find(([key]) => key === value)?.[1];
  return label ?? (type.isDate && !type.isInstant ? formatBucket(String(value)) : String(value));
}
