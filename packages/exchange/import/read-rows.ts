import { BadValue } from '@kontor/orm';
import { type BadCell, type CsvRow, splitList, text, unguardCell, type Words } from '@kontor/protocol';
import type { Column, ColumnPlan } from './plan-columns.ts';

/** A bad cell before it is said to anyone. */
export interface CellError extends Omit<BadCell, 'message'> {
  readonly message: Words;
}

/** A row on its way to a record. */
export interface DraftRow {
  readonly row: number;
  readonly cells: readonly string[];
  readonly values: Record<string, unknown>;
  /** Fields of mapped columns that are empty here: left to their defaults in a new record, emptied in one that is there. */
  readonly empty: string[];
  readonly errors: CellError[];
  /** What stands in the column of ids. */
  readonly id: string;
}

/** Reads a chunk of rows: every cell by its field's type, relations looked up for all rows at once. */
export async function readRows({ columns, id, width }: ColumnPlan, rows: readonly CsvRow[]): Promise<DraftRow[]> {
  const drafts = rows.map((row) => startDraft(row, width, id?.index ?? null));
  for (const column of columns) {
    if (column.lookup) await readRelations(column, drafts);
    else for (const draft of drafts) readOne(column, draft);
  }
  return drafts;
}

function startDraft({ row, cells }: CsvRow, width: number, idIndex: number | null): DraftRow {
  const draft: DraftRow = {
    ...{ row, cells, values: {}, empty: [], errors: [] },
    id: idIndex === null ? '' : unguardCell(cells[idIndex] ?? '').trim(),
  };
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')) {
    const message = text('The row has {count} cells and the header {width}.', { count: cells.length, width });
    draft.errors.push({ row, column: '', message });
  }
  return draft;
}

function readOne(column: Column, draft: DraftRow): void {
  const { field, header } = column;
  const cell = unguardCell(draft.cells[column.index] ?? '');
  if (cell === '' || (cell.trim() === '' && !field.kind.isLong)) {
    draft.empty.push(field.name);
    return;
  }
  try {
    draft.values[field.name] = field.kind.cast(field.kind.fromText(cell, field, column.notation), field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    draft.errors.push({ row: draft.row, column: header, message: error.words });
  }
}

async function readRelations(column: Column, drafts: readonly DraftRow[]): Promise<void> {
  const lookup = column.lookup as NonNullable<Column['lookup']>;
  const isList = column.field.kind.isList;
  const parts = drafts.map(({ cells }) => {
    const cell = unguardCell(cells[column.index] ?? '').trim();
    if (cell === '') return [];
    return isList ? splitList(cell) : [cell];
  });
  await lookup.prepare(parts.flat());
  for (const [index, draft] of drafts.entries()) {
    const own = parts[index] as readonly string[];
    if (own.length === 0) {
      draft.empty.push(column.field.name);
      continue;
    }
    const ids: number[] = [];
    for (const part of own) {
      const found = lookup.find(part);
      if (typeof found === 'number') ids.push(found);
      else draft.errors.push({ row: draft.row, column: column.header, message: found.why });
    }
    draft.values[column.field.name] = isList ? [['set', ids]] : ids[0];
  }
}
