import { BadValue, type Field } from '@kontor/orm';
import {
  type BadCell,
  type CsvRow,
  everyInvalid,
  type ImportProblem,
  splitList,
  text,
  unguardCell,
  type Values,
  type Words,
} from '@kontor/protocol';
import { fixFor } from './import-fixes.ts';
import type { Column, ColumnPlan } from './plan-columns.ts';
import type { Found } from './relation-lookup.ts';

/** An invalid cell before translation. */
export interface CellError extends Omit<BadCell, 'message'> {
  readonly message: Words;
  /** In a cell with several values: the wrong one. */
  readonly value?: string;
  readonly kind?: ImportProblem['kind'];
  readonly record?: string | null;
}

/** Rows of the file that form one record: with its lines below each other, or a single row. */
export interface RecordRows extends CsvRow {
  readonly lines?: readonly CsvRow[];
}

/** A row before it becomes a record. */
export interface DraftRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** All rows of the record, if the file has columns of lines. */
  readonly lines: readonly CsvRow[] | null;
  readonly values: Record<string, unknown>;
  /** Mapped fields that are empty here: a new record gets their defaults, an existing one is emptied. */
  readonly empty: string[];
  readonly errors: CellError[];
  /** Why the user chose to skip the row; empty: it is imported. */
  readonly leftOut: CellError[];
  /** The content of the id column. */
  readonly id: string;
  /** The record to update; null: a new one, unless one is found. */
  target: number | null;
  /** The external id that a new record is to have. */
  externalId: string | null;
}

type Columns = Pick<ColumnPlan, 'columns' | 'id' | 'width'>;

/** Reads a chunk of rows: every cell by its field's type, relations looked up for all rows at once. */
export async function readRows(plan: Columns, rows: readonly RecordRows[]): Promise<DraftRow[]> {
  const drafts = rows.map((row) => startRow(plan, row));
  await readRelated(plan, drafts);
  return drafts;
}

/** Reads everything that needs no database: all cells except those of relations. */
export function startRow({ columns, id, width }: Columns, row: RecordRows): DraftRow {
  const draft = startDraft(row, width, id?.index ?? null);
  for (const column of columns) {
    // Its value is added later, at its position.
    if (column.lookup) draft.values[column.field.name] = undefined;
    else readOne(column, draft);
  }
  return draft;
}

/** The rest: relations, looked up for all these rows at once. Errors of a row are in column order. */
export async function readRelated({ columns }: Columns, drafts: readonly DraftRow[]): Promise<void> {
  const related = columns.filter(({ lookup }) => lookup !== null);
  if (related.length === 0) return;
  for (const column of related) await readRelations(column, drafts);
  const places = new Map<string, number>();
  for (const [place, { header, field }] of columns.entries()) places.set(header, place).set(`=${field.name}`, place);
  const byColumn = (a: CellError, b: CellError) => (places.get(a.column) ?? -1) - (places.get(b.column) ?? -1);
  const byField = (a: string, b: string) => (places.get(`=${a}`) ?? -1) - (places.get(`=${b}`) ?? -1);
  for (const { errors, leftOut, empty } of drafts) {
    if (errors.length > 1) errors.sort(byColumn);
    if (leftOut.length > 1) leftOut.sort(byColumn);
    if (empty.length > 1) empty.sort(byField);
  }
}

function startDraft({ row, cells, lines = undefined }: RecordRows, width: number, idIndex: number | null): DraftRow {
  const draft: DraftRow = {
    row,
    cells,
    lines: lines ?? null,
    values: {},
    empty: [],
    errors: [],
    leftOut: [],
    id: idIndex === null ? '' : unguardCell(cells[idIndex] ?? '').trim(),
    target: null,
    externalId: null,
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
  const read = column.read(cell);
  if (!(read instanceof BadValue)) draft.values[field.name] = read;
  else if (field.spec.format === undefined) draft.errors.push({ row: draft.row, column: header, message: read.words });
  else readInvalid(column, draft, { given: given.trim(), message: read.words });
}

/** The row without an address that is none: what an existing record has stays. */
function readInvalid(
  { fixes, header: column }: Column,
  { row, errors, leftOut }: DraftRow,
  { given, message }: { readonly given: string; readonly message: Words },
): void {
  const fix = fixes?.get(given) ?? fixes?.get(everyInvalid);
  if (fix && 'keep' in fix) return;
  if (fix && 'skip' in fix) leftOut.push({ row, column, message });
  else errors.push({ row, column, message, kind: 'invalid' });
}

/** The user's replacement for this value, if any. */
function fixed({ fixes, header }: Column, draft: DraftRow, given: string): string {
  const fix = fixes?.get(given.trim());
  if (fix === undefined || 'create' in fix || 'update' in fix || 'keep' in fix || 'first' in fix) return given;
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
  await lookup.prepare(parts.flat(), (part) => 'create' in (fixFor(column.fixes, part) ?? {}));
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
      else draft.errors.push(relationError(draft, column, part, found));
    }
    draft.values[column.field.name] = isList ? [['set', ids]] : ids[0];
  }
}

function relationError(
  { row }: DraftRow,
  { header: column }: Column,
  value: string,
  { why: message, isMissing }: Exclude<Found, number>,
): CellError {
  return { row, column, message, value, ...(isMissing ? { kind: 'missing' } : {}) };
}

/** The values for an existing record: an empty cell empties the field. */
export function changedValues({ values, empty }: DraftRow, fields: ReadonlyMap<string, Field>): Values {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(values)) if (values[name] !== undefined) changed[name] = values[name];
  for (const name of empty) changed[name] = fields.get(name)?.kind.isLinks ? [['clear']] : null;
  return changed;
}
