import {
  bucketOf,
  insertBefore,
  type KanbanColumn,
  type RecordValues,
  type Values,
  type WorkspacePayload,
} from '../../door/index.ts';

/** One column with its loaded cards; `count` and `sums` cover all of its cards. */
export interface BoardColumn extends KanbanColumn {
  readonly key: string;
  readonly ids: readonly number[];
}

/** A move of a card: into a column, before another card or to the end. */
export interface Move {
  readonly id: number;
  readonly to: string;
  readonly before: number | null;
  /** The server has confirmed it; the next payload contains it. */
  readonly isSettled?: boolean;
}

function columnKey(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** The board as sent by the server. `loaded` contains columns of which more pages were fetched. */
export function toBoard(
  { arch, records }: WorkspacePayload,
  loaded: ReadonlyMap<string, readonly number[]>,
): readonly BoardColumn[] {
  const { kanban } = arch;
  if (!kanban || kanban.groupField === null) return [];
  const [field = '', granularity] = kanban.groupField.split(':');
  const byKey = new Map<string, number[]>();
  for (const record of records) {
    const value = granularity ? bucketOf(record[field], granularity) : record[field];
    const key = columnKey(value);
    const ids = byKey.get(key) ?? [];
    byKey.set(key, ids);
    ids.push(record.id);
  }
  return kanban.columns.map((column) => {
    const key = columnKey(column.value);
    return { ...column, key, ids: loaded.get(key) ?? byKey.get(key) ?? [] };
  });
}

/** The board with a card in another position; counts and sums are adjusted. */
export function applyMove(
  columns: readonly BoardColumn[],
  move: Move,
  recordOf: (id: number) => RecordValues | undefined,
): readonly BoardColumn[] {
  const from = columnOf(columns, move.id);
  if (!from || !columns.some(({ key }) => key === move.to)) return columns;
  const record = recordOf(move.id) ?? {};
  return columns.map((column) => {
    const isFrom = column === from;
    const isTo = column.key === move.to;
    if (!isFrom && !isTo) return column;
    const without = column.ids.filter((id) => id !== move.id);
    const ids = isTo ? insertBefore(without, move.id, move.before) : without;
    if (isFrom && isTo) return { ...column, ids };
    return withTotals({ ...column, ids }, record, isTo ? 1 : -1);
  });
}

export function columnOf(columns: readonly BoardColumn[], id: number): BoardColumn | undefined {
  return columns.find((column) => column.ids.includes(id));
}

function withTotals(column: BoardColumn, record: Values, sign: 1 | -1): BoardColumn {
  const sums = Object.entries(column.sums).map(([name, sum]) => {
    const amount = Number(record[name] ?? 0);
    return [name, Number.isFinite(amount) ? Number(sum) + sign * amount : sum] as const;
  });
  return { ...column, count: Math.max(0, column.count + sign), sums: Object.fromEntries(sums) };
}
