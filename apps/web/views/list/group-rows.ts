import {
  type Arch,
  fieldType,
  formatBucket,
  type GroupRow,
  groupKey,
  knownIds,
  type Money,
  type Pages,
  t,
} from '../../door/index.ts';
import type { Row, Rows } from './rows.ts';

/** The groups at a path, and their sums by currency. The outermost groups come with the screen. */
export interface GroupLevel {
  readonly groups?: readonly GroupRow[];
  readonly money?: ReadonlyMap<string, Money>;
}

/** The open groups and their loaded content, by path. */
export interface GroupTree {
  readonly open: Set<string>;
  /** One row per path. */
  readonly levels: Pages<GroupLevel>;
  /** Ids of the records of the innermost groups. */
  readonly records: Pages<number>;
}

/** The path of a group: the values of its levels. */
function pathOf(parent: string, row: GroupRow, groupBy: string): string {
  return `${parent}/${JSON.stringify(row[groupBy] ?? null)}`;
}

/** One row, or the rows of all records of an open group, loaded or not. */
export interface RowRange {
  readonly start: number;
  readonly count: number;
  /** Set for a single row. */
  readonly row?: Row;
  /** The path whose groups the row is waiting for. */
  readonly awaits?: string;
  readonly records?: { readonly path: string; readonly depth: number; readonly ids: readonly (number | undefined)[] };
}

/** The rows of the table: each group, and below open ones their groups or records. */
export function rowRanges(
  groups: readonly GroupRow[],
  groupBy: readonly string[],
  tree: GroupTree,
): readonly RowRange[] {
  const ranges: RowRange[] = [];
  let start = 0;
  const put = (range: Omit<RowRange, 'start'>) => {
    ranges.push({ ...range, start });
    start += range.count;
  };
  const add = (level: readonly GroupRow[], depth: number, parent: string) => {
    const by = groupBy[depth] as string;
    for (const row of level) {
      const path = pathOf(parent, row, by);
      const isOpen = tree.open.has(path);
      const money = levelAt(tree, parent)?.money?.get(groupKey(row[by]));
      put({ count: 1, row: { kind: 'group', key: path, depth, groupBy: by, row, isOpen, money } });
      if (!isOpen) continue;
      const inner = levelAt(tree, path)?.groups;
      if (depth === groupBy.length - 1) {
        put({ count: Number(row.__count), records: { path, depth: depth + 1, ids: tree.records.rows(path) } });
      } else if (inner) add(inner, depth + 1, path);
      else put({ count: 1, row: { kind: 'wait', key: `wait-${path}` }, awaits: path });
    }
  };
  if (groupBy.length > 0) add(groups, 0, '');
  return ranges;
}

function levelAt({ levels }: GroupTree, path: string): GroupLevel | undefined {
  return levels.rows(path)[0];
}

/** Rows and ids are created on demand: there may be tens of thousands. */
export function rowsOf<T extends object>(
  ranges: readonly RowRange[],
  steps: T,
): T & Pick<Rows, 'count' | 'at' | 'ids' | 'indexOf' | 'groups'> {
  const last = ranges.at(-1);
  let ids: readonly number[] | null = null;
  return {
    ...steps,
    count: last ? last.start + last.count : 0,
    at(index) {
      const { start = 0, row, records } = rangeAt(ranges, index) ?? {};
      if (row) return row;
      const id = records?.ids[index - start];
      if (!records || id === undefined) return { kind: 'wait', key: `wait-${records?.path ?? ''}-${index - start}` };
      return { kind: 'record', key: `${records.path}#${id}`, id, depth: records.depth };
    },
    get ids() {
      ids ??= ranges.flatMap(({ records, count }) => knownIds(records?.ids ?? [], count));
      return ids;
    },
    indexOf(id) {
      for (const { start, count, records } of ranges) {
        const at = records?.ids.indexOf(id) ?? -1;
        if (at >= 0 && at < count) return start + at;
      }
      return -1;
    },
    groups: ranges.flatMap(({ row }, at) => {
      if (row?.kind !== 'group') return [];
      return [{ key: row.key, isOpen: row.isOpen, isWaiting: ranges[at + 1]?.row?.kind === 'wait' && row.isOpen }];
    }),
  };
}

function rangeAt(ranges: readonly RowRange[], index: number): RowRange | undefined {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle] as RowRange;
    if (index < range.start) high = middle - 1;
    else if (index >= range.start + range.count) low = middle + 1;
    else return range;
  }
  return undefined;
}

/** The group at a path and its depth; null if it no longer exists. */
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
    level = levelAt(tree, parent)?.groups ?? [];
  }
  return null;
}

/** The label of a `read_group` row. */
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
