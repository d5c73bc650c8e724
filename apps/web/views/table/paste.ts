import {
  type ArchField,
  asTyped,
  CsvError,
  csvRows,
  dayFromText,
  decimalsOf,
  fieldType,
  isDate,
  numberReadings,
  parseDate,
  parseDateTime,
  readNumber,
  type Values,
} from '../../door/index.ts';
import type { Column } from './columns.ts';
import { keyOf, lookUpNames, type Named, type Names, textsIn } from './paste-names.ts';

type Cells = readonly (readonly string[])[];

/** Which column each pasted one goes to; null: none. */
export type PasteColumns = readonly (Column | null)[];

/** The paste target. */
interface PasteTarget {
  readonly columns: PasteColumns;
  /** For each existing row, whether it can be changed; further rows are new. */
  readonly canChange: readonly boolean[];
}

export interface Pasted {
  /** The values of each row; null: the row may not be changed. What was not understood stays as it is written, to be marked. */
  readonly rows: readonly (Values | null)[];
  /** Cells that were not understood, by pasted column. */
  readonly unread: readonly number[];
}

/** The rows without their header, and the columns that they go to. */
export interface PastedTable {
  readonly cells: Cells;
  readonly columns: PasteColumns;
  /** What the file calls the columns, where it does. */
  readonly headers: readonly string[] | null;
}

/**
 * A first row that names columns decides where each of them goes. Otherwise they go over the columns from the active cell on. A header is known by two
 * names of columns, or by one if there is no other column.
 */
export function readTable(text: string, columns: readonly Column[], from: number): PastedTable {
  const all = parseTable(text);
  const [first = [], ...rest] = all;
  const width = Math.max(...all.map((row) => row.length));
  const byHeader = first.map((cell) => columns.find((column) => isNamed(column, cell)) ?? null);
  const known = new Set(byHeader.filter((column) => column !== null)).size;
  const isHeader = rest.length > 0 && known > 0 && (known > 1 || first.length === 1);
  if (isHeader)
    return {
      cells: rest,
      columns: byHeader.map((column, at) => (byHeader.indexOf(column) === at ? column : null)),
      headers: first,
    };
  return { cells: all, columns: Array.from({ length: width }, (_, at) => columns[from + at] ?? null), headers: null };
}

function isNamed({ name, label, field }: Column, cell: string): boolean {
  const key = keyOf(cell);
  if (key === '' || field.readonly) return false;
  return [label, field.label, name, name.replace(/_ids?$/, '')].some((each) => keyOf(each) === key);
}

/** The values of the rows, with the records that they name. */
export async function readPasted(cells: Cells, target: PasteTarget): Promise<Pasted> {
  return planPaste(cells, target, await lookUpNames(cells, target.columns));
}

/**
 * Whether the columns should be asked about: one has a name that no column has, nothing in it was understood, or it has only numbers and lies over
 * a text.
 */
export function needsChoice(table: PastedTable, { unread }: Pasted): boolean {
  const { columns, headers } = table;
  if (columns.length < 2) return false;
  return columns.some((column, at) => {
    const filled = filledCells(table, at);
    if (filled.length === 0) return false;
    if (column === null || headers !== null) return column === null && headers !== null;
    return unread[at] === filled.length || isMisplaced(column, filled);
  });
}

/** Where the columns probably go, for a person to confirm: what does not fit goes to the next column of numbers, or of texts. */
export function proposedColumns(table: PastedTable, { unread }: Pasted, all: readonly Column[]): PasteColumns {
  if (table.headers !== null) return table.columns;
  const used = new Set<string>();
  const isFree = ({ name, field }: Column) => !field.readonly && !used.has(name);
  return table.columns.map((column, at) => {
    const filled = filledCells(table, at);
    const isLost = column === null || unread[at] === filled.length || isMisplaced(column, filled);
    const numbers = filled.filter((cell) => onlyNumber.test(cell)).length * 2 >= filled.length;
    const fits = ({ field }: Column) => (numbers ? fieldType(field.type).isNumber : fieldType(field.type).isText);
    const other = filled.length > 0 ? all.find((one) => isFree(one) && fits(one)) : undefined;
    const next = !isLost && isFree(column) ? column : (other ?? null);
    if (next) used.add(next.name);
    return next;
  });
}

const onlyNumber = /^[\d.,'’\s€$£%+-]*\d[\d.,'’\s€$£%+-]*$/;

function filledCells({ cells }: PastedTable, at: number): readonly string[] {
  return cells.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
}

function isMisplaced({ field }: Column, filled: readonly string[]): boolean {
  return fieldType(field.type).isText && !field.readonly && filled.every((cell) => onlyNumber.test(cell));
}

/** Cells in read-only columns, or after the last column, are skipped. */
export function planPaste(cells: Cells, { columns, canChange }: PasteTarget, names: Names): Pasted {
  const unread = columns.map(() => 0);
  const rows = cells.map((row, at) => {
    const isClosed = canChange[at] === false;
    const values: Record<string, unknown> = {};
    for (const [index, cell] of row.entries()) {
      const column = columns[index];
      if (!column || column.field.readonly) continue;
      const found = isClosed ? null : valuesOf(column, cell, names);
      if (found === null) unread[index] = (unread[index] ?? 0) + 1;
      Object.assign(values, found ?? marked(column, cell, names));
    }
    return isClosed ? null : values;
  });
  return { rows, unread };
}

function valuesOf({ field, name, widget }: Column, cell: string, names: Names): Values | null {
  const type = fieldType(field.type);
  if (!type.isRelation) {
    const value = widget.fromText && cell.trim() !== '' ? widget.fromText(cell.trim(), field) : parseCell(field, cell);
    return value === undefined ? null : { [name]: value };
  }
  const found = textsIn(field, cell).map((text) => names.get(name)?.get(keyOf(text)) ?? null);
  if (found.includes(null)) return null;
  const records = recordsNamed(found as readonly Named[]);
  if (type.isLinks) return { [name]: records };
  return { [name]: records[0]?.id ?? null, [`${name}.display_name`]: records[0]?.display_name ?? null };
}

/** A text that is no value of the field stays in the cell, as if somebody had typed it. */
function marked({ field, name }: Column, cell: string, names: Names): Values {
  const { isNumber, isDate: isDay, isLinks } = fieldType(field.type);
  const text = cell.trim();
  if (isLinks) {
    const found = textsIn(field, cell).map((each) => [each, names.get(name)?.get(keyOf(each)) ?? null] as const);
    const unknown = found.flatMap(([each, one]) => (one === null ? [each] : []));
    return { [name]: [...recordsNamed(found.flatMap(([, one]) => one ?? [])), asTyped(unknown.join(', '))] };
  }
  const isEither = isNumber && numberReadings(text, decimalsOf(field)) !== null;
  return { [name]: (isNumber && !isEither) || isDay ? text : asTyped(text) };
}

function recordsNamed(found: readonly Named[]) {
  return found.map(({ id, name }) => ({ id, display_name: name }));
}

/** Parses clipboard text into rows of cells; quoted cells can contain line breaks and tabs. */
export function parseTable(text: string): readonly (readonly string[])[] {
  try {
    return [...csvRows(text, '\t')].map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // An unpaired quote, such as for inches: the text is not CSV.
    return text.split(/\r?\n/).map((line) => line.split('\t'));
  }
}

/** The value of a pasted cell; undefined if the field cannot take it. Relations are looked up by name elsewhere. */
export function parseCell(field: ArchField, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const type = fieldType(field.type);
  if (type.isText) return text;
  if (type.isNumber) return readNumber(trimmed, field);
  if (type.isBoolean) return parseBoolean(trimmed);
  if (type.isDate && twoNumbers.test(trimmed)) return undefined;
  if (type.isInstant) return parseDateTime(trimmed, field.isEnd) ?? undefined;
  if (type.isDate) return parseDay(trimmed);
  if (!type.isChoice) return undefined;
  const wanted = trimmed.toLowerCase();
  return field.selection?.find(([key, label]) => key === trimmed || label.toLowerCase() === wanted)?.[0];
}

function parseBoolean(text: string): boolean | undefined {
  if (/^(true|yes|y|1|x|ja|oui|wahr|vrai|✓)$/i.test(text)) return true;
  return /^(false|no|n|0|nein|non|falsch|faux)$/i.test(text) ? false : undefined;
}

/** `1.5` is pasted as a number, although a date field accepts it when typed. */
const twoNumbers = /^\d+[^\d\p{L}:]+\d+[^\d\p{L}:]*$/u;

/** In the user's date format, and always `14.11.2026`. */
function parseDay(text: string): string | undefined {
  const own = parseDate(text);
  if (own) return own;
  const dotted = text.includes('.') ? dayFromText(text, { dateOrder: ['day', 'month', 'year'] }) : null;
  return dotted !== null && isDate(dotted) ? dotted : undefined;
}
