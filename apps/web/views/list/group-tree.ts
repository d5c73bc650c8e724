import type { GroupRow } from '@kontor/protocol';
import { groupKey, type Money } from '../money.ts';
import type { Row } from './rows.ts';

/** What is inside an opened group: further groups, or records. */
export interface GroupContent {
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
export function pathOf(parent: string, row: GroupRow, groupBy: string): string {
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
