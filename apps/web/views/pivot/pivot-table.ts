import type { GroupRow } from '../../door/index.ts';

/** A group of one axis; the root is the total. */
export interface AxisNode {
  /** The key of its path, unique on its axis. */
  readonly key: string;
  /** The group values, outermost first. */
  readonly path: readonly unknown[];
  /** Its total over the other axis, which also names the group. */
  readonly row: GroupRow | null;
  /** Null: not loaded. */
  readonly children: readonly AxisNode[] | null;
}

export interface PivotTable {
  readonly rows: AxisNode;
  readonly columns: AxisNode;
  figure(row: AxisNode, column: AxisNode): GroupRow | undefined;
}

export type Axis = 'rows' | 'columns';

/**
 * Rows of one `read_group`, and the groups it asked for on each axis: from level `from` on, inside the group `path`.
 */
export interface PivotAnswer {
  readonly rows: readonly GroupRow[];
  readonly down: AnswerAxis;
  readonly across: AnswerAxis;
}
export interface AnswerAxis {
  readonly path: readonly unknown[];
  readonly groups: readonly string[];
}

export function pathKey(path: readonly unknown[]): string {
  return JSON.stringify(path);
}

interface Draft {
  readonly key: string;
  readonly path: readonly unknown[];
  row: GroupRow | null;
  children: Draft[] | null;
}

/** Combines several answers. Later ones add levels to earlier ones. */
export function pivotTable(answers: readonly PivotAnswer[]): PivotTable {
  const figures = new Map<string, GroupRow>();
  const rows = axisBuilder();
  const columns = axisBuilder();
  for (const { rows: found, down, across } of answers) {
    for (const row of found) {
      const rowPath = pathOf(row, down);
      const columnPath = pathOf(row, across);
      figures.set(`${pathKey(rowPath)} ${pathKey(columnPath)}`, row);
      if (columnPath.length === 0) rows.add(rowPath, row);
      if (rowPath.length === 0) columns.add(columnPath, row);
    }
    rows.close(down);
    columns.close(across);
  }
  return {
    rows: rows.root,
    columns: columns.root,
    figure: (row, column) => figures.get(`${row.key} ${column.key}`),
  };
}

function pathOf(row: GroupRow, { path, groups }: AnswerAxis): readonly unknown[] {
  const own = groups.filter((group) => Object.hasOwn(row, group)).map((group) => row[group]);
  return own.length === 0 && path.length > 0 ? path : [...path, ...own];
}

function axisBuilder() {
  const nodes = new Map<string, Draft>();
  const node = (path: readonly unknown[]): Draft => {
    const key = pathKey(path);
    const known = nodes.get(key);
    if (known) return known;
    const made: Draft = { key, path, row: null, children: null };
    nodes.set(key, made);
    if (path.length > 0) {
      const parent = node(path.slice(0, -1));
      parent.children = [...(parent.children ?? []), made];
    }
    return made;
  };
  return {
    root: node([]),
    add(path: readonly unknown[], row: GroupRow) {
      node(path).row = row;
    },
    /** Groups whose next level was requested and has no rows are empty, not unknown. */
    close({ path, groups }: AnswerAxis) {
      for (const each of nodes.values()) {
        const isInside = path.every((value, at) => each.path[at] === value);
        if (isInside && each.path.length < path.length + groups.length) each.children ??= [];
      }
    },
  };
}

/** The figure to sort by. */
export interface SortKey {
  readonly measure: string;
  /** The group on the other axis. */
  readonly path: string;
  readonly isDescending: boolean;
}

/** Sorts the groups of each level by their figures, those without one last. */
export function sorted(node: AxisNode, figureOf: (node: AxisNode) => unknown, isDescending: boolean): AxisNode {
  if (node.children === null) return node;
  const sign = isDescending ? -1 : 1;
  const number = (one: AxisNode) => {
    const value = figureOf(one);
    return value === null || value === undefined
      ? null
      : typeof value === 'string' && Number.isNaN(Number(value))
        ? value
        : Number(value);
  };
  const children = node.children.map((child) => ({ child: sorted(child, figureOf, isDescending), by: number(child) }));
  children.sort((one, other) => {
    if (one.by === null || other.by === null) return Number(one.by === null) - Number(other.by === null);
    return one.by === other.by ? 0 : one.by < other.by ? -sign : sign;
  });
  return { ...node, children: children.map(({ child }) => child) };
}

export interface ShownRow {
  readonly node: AxisNode;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly isTotal: boolean;
}

/** The rows to show, with the total at the end. */
export function shownRows(root: AxisNode, isOpen: (node: AxisNode) => boolean): readonly ShownRow[] {
  const walk = (node: AxisNode): readonly ShownRow[] =>
    (node.children ?? []).flatMap((child) => {
      const opened = isOpen(child) && child.children !== null;
      const own = { node: child, depth: child.path.length, isOpen: opened, isTotal: false };
      return opened ? [own, ...walk(child)] : [own];
    });
  return [...walk(root), { node: root, depth: 0, isOpen: true, isTotal: true }];
}

export interface ShownColumn {
  readonly node: AxisNode;
  /** The total of a group, after its children. */
  readonly isTotal: boolean;
}

/** A header cell: its columns, its level and how many columns it spans. */
export interface HeadCell {
  readonly node: AxisNode;
  readonly isTotal: boolean;
  readonly isOpen: boolean;
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly levels: number;
}

export interface ShownColumns {
  readonly columns: readonly ShownColumn[];
  readonly head: readonly HeadCell[];
  readonly levels: number;
}

/** The columns to show; an open group has its children first and then its total. */
export function shownColumns(root: AxisNode, isOpen: (node: AxisNode) => boolean): ShownColumns {
  const columns: ShownColumn[] = [];
  const head: Omit<HeadCell, 'levels'>[] = [];
  const walk = (node: AxisNode, level: number): void => {
    const from = columns.length;
    const opened = isOpen(node) && (node.children?.length ?? 0) > 0;
    if (!opened) {
      columns.push({ node, isTotal: false });
      head.push({ node, isTotal: false, isOpen: false, from, to: from + 1, level });
      return;
    }
    for (const child of node.children ?? []) walk(child, level + 1);
    columns.push({ node, isTotal: true });
    head.push({ node, isTotal: true, isOpen: true, from: columns.length - 1, to: columns.length, level: level + 1 });
    head.push({ node, isTotal: false, isOpen: true, from, to: columns.length, level });
  };
  for (const child of root.children ?? []) walk(child, 0);
  head.push({ node: root, isTotal: true, isOpen: true, from: columns.length, to: columns.length + 1, level: 0 });
  columns.push({ node: root, isTotal: true });
  const levels = Math.max(...head.map(({ level }) => level)) + 1;
  const reaches = (cell: Omit<HeadCell, 'levels'>) => (cell.isOpen && !cell.isTotal ? 1 : levels - cell.level);
  return { columns, head: head.map((cell) => ({ ...cell, levels: reaches(cell) })), levels };
}

/** The number of loaded groups on an axis. */
export function countNodes(node: AxisNode): number {
  return (node.children ?? []).reduce((sum, child) => sum + 1 + countNodes(child), 0);
}
