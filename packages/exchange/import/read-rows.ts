import { BadValue, type Field } from '@kontor/orm';
import { type BadCell, type CsvRow, splitList, text, unguardCell, type Values, type Words } from '@kontor/protocol';
import { createdValues } from './import-fixes.ts';
import type { Column, ColumnPlan } from './plan-columns.ts';

/** A bad cell before it is said to anyone. */
export interface CellError extends Omit<BadCell, 'message'> {
  readonly message: Words;
  /** Of a cell that holds several values: the one that is wrong. */
  readonly value?: string;
}

/** Rows of the file that are one record: with its lines below each other, or a row alone. */
export interface RecordRows extends CsvRow {
  readonly lines?: readonly CsvRow[];
}

/** A row on its way to a record. */
export interface DraftRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** All rows of the record, where the file has columns of lines. */
  readonly lines: readonly CsvRow[] | null;
  readonly values: Record<string, unknown>;
  /** Fields of mapped columns that are empty here: left to their defaults in a new record, emptied in one that is there. */
  readonly empty: string[];
  readonly errors: CellError[];
  /** Why the person chose to leave the row out; empty: it is to be imported. */
  readonly leftOut: CellError[];
  /** What stands in the column of ids. */
  readonly id: string;
}

type Columns = Pick<ColumnPlan, 'columns' | 'id' | 'width'>;

/** Reads a chunk of rows: every cell by its field's type, relations looked up for all rows at once. */
export async function readRows({ columns, id, width }: Columns, rows: readonly RecordRows[]): Promise<DraftRow[]> {
  const drafts = rows.map((row) => startDraft(row, width, id?.index ?? null));
  for (const column of columns) {
    if (column.lookup) await readRelations(column, drafts);
    else for (const draft of drafts) readOne(column, draft);
  }
  return drafts;
}

function startDraft({ row, cells, lines = undefined }: RecordRows, width: number, idIndex: number | null): DraftRow {
  const draft: DraftRow = {
    ...{ row, cells, lines: lines ?? null, values: {}, empty: [], errors: [], leftOut: [] },
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
  const given = unguardCell(draft.cells[column.index] ?? '');
  const cell = column.fixes === null ? given : fixed(column, draft, given);
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

/** The value that the person chose instead of this one, where they did. */
function fixed({ fixes, header }: Column, draft: DraftRow, given: string): string {
  const fix = fixes?.get(given.trim());
  if (fix === undefined || 'create' in fix) return given;
  if ('use' in fix) return fix.use;
  if ('skip' in fix) {
    const message = text('You chose to skip rows with this value.');
    draft.leftOut.push({ row: draft.row, column: header, message });
  }
  return '';
}

async function readRelations(column: Column, drafts: readonly DraftRow[]): Promise<void> {
  const lookup = column.lookup as NonNullable<Column['lookup']>;
  const isList = column.field.kind.isList;
  const parts = drafts.map((draft) => {
    const cell = unguardCell(draft.cells[column.index] ?? '').trim();
    const own = isList && cell !== '' ? splitList(cell) : [cell];
    if (column.fixes === null) return cell === '' ? [] : own;
    return own.map((part) => fixed(column, draft, part)).filter((part) => part !== '');
  });
  await lookup.prepare(parts.flat(), createdValues(column.fixes));
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
      else draft.errors.push({ row: draft.row, column: column.header, message: found.why, value: part });
    }
    draft.values[column.field.name] = isList ? [['set', ids]] : ids[0];
  }
}

/** What a record that is there becomes: an empty cell empties the field. */
export function changedValues({ values, empty }: DraftRow, fields: ReadonlyMap<string, Field>): Values {
  const changed: Record<string, unknown> = { ...values };
  for (const name of empty) changed[name] = fields.get(name)?.kind.isLinks ? [['clear']] : null;
  return changed;
}
