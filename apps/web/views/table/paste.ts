import {
  type ArchField,
  announce,
  CsvError,
  csvRows,
  dayFromText,
  decimalsOf,
  fieldType,
  isDate,
  parseDate,
  parseDateTime,
  parseNumber,
  searchRead,
  showToast,
  tn,
  type Values,
} from '../../door/index.ts';
import type { Column } from './columns.ts';

/** The paste target: rows and columns from the active cell on. */
interface PasteTarget {
  readonly columns: readonly Column[];
  /** For each existing row, whether it can be changed; further rows are new. */
  readonly canChange: readonly boolean[];
}

interface Pasted {
  /** The values of each row; null: the row cannot be changed. */
  readonly rows: readonly (Values | null)[];
  /** The number of cells that could not be read. */
  readonly lost: number;
}

/** Reads rows from a spreadsheet, looks up the records they name, and reports cells that could not be read. */
export async function readPasted(text: string, target: PasteTarget): Promise<Pasted['rows']> {
  const cells = parseTable(text);
  const { rows, lost } = planPaste(cells, target, await lookUpNames(cells, target.columns));
  announce(tn('{n} row pasted', '{n} rows pasted', rows.length));
  if (lost > 0) {
    showToast({ kind: 'info', title: tn('{n} cell was not understood', '{n} cells were not understood', lost) });
  }
  return rows;
}

/** Cells in read-only columns, or after the last column, are skipped. */
export function planPaste(
  cells: readonly (readonly string[])[],
  { columns, canChange }: PasteTarget,
  names: Names,
): Pasted {
  let lost = 0;
  const rows = cells.map((row, at) => {
    if (canChange[at] === false) {
      lost += row.length;
      return null;
    }
    const values: Record<string, unknown> = {};
    for (const [index, cell] of row.entries()) {
      const column = columns[index];
      if (!column || column.field.readonly) continue;
      const found = valuesOf(column, cell, names);
      if (found) Object.assign(values, found);
      else lost++;
    }
    return values;
  });
  return { rows, lost };
}

type Names = ReadonlyMap<string, ReadonlyMap<string, { readonly id: number; readonly name: string }>>;

function valuesOf({ field, name }: Column, cell: string, names: Names): Values | null {
  if (!fieldType(field.type).isToOne) {
    const value = parseCell(field, cell);
    return value === undefined ? null : { [name]: value };
  }
  if (cell.trim() === '') return { [name]: null, [`${name}.display_name`]: null };
  const found = names.get(name)?.get(cell.trim().toLowerCase());
  return found ? { [name]: found.id, [`${name}.display_name`]: found.name } : null;
}

/** Looks up all names of a column in one request. */
async function lookUpNames(rows: readonly (readonly string[])[], columns: readonly Column[]): Promise<Names> {
  const names = new Map<string, Map<string, { id: number; name: string }>>();
  await Promise.all(
    columns.map(async ({ field, name }, index) => {
      if (!fieldType(field.type).isToOne || !field.relation) return;
      const wanted = [...new Set(rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== ''))];
      if (wanted.length === 0) return;
      const found = await searchRead(field.relation, [['display_name', 'in', wanted]], ['display_name'], {
        limit: 500,
      }).catch(() => []);
      const byName = found.map((one) => {
        const text = String(one.display_name ?? '');
        return [text.toLowerCase(), { id: one.id, name: text }] as const;
      });
      names.set(name, new Map(byName));
    }),
  );
  return names;
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
  if (type.isNumber) return parsePastedNumber(trimmed, type.isWhole, decimalsOf(field));
  if (type.isBoolean) return parseBoolean(trimmed);
  if (type.isDate && twoNumbers.test(trimmed)) return undefined;
  if (type.isInstant) return parseDateTime(trimmed) ?? undefined;
  if (type.isDate) return parseDay(trimmed);
  if (!type.isChoice) return undefined;
  const wanted = trimmed.toLowerCase();
  return field.selection?.find(([key, label]) => key === trimmed || label.toLowerCase() === wanted)?.[0];
}

/** Currency and unit symbols are ignored, except for integers: `3 kg` is not a count. */
function parsePastedNumber(text: string, isWhole: boolean, scale: number | undefined): number | undefined {
  if (!isWhole)
    return parseNumber(text.replace(/[^\p{Nd}.,'’+\-\s\u00a0\u202f\u066b\u066c]/gu, ''), scale) ?? undefined;
  const number = parseNumber(text, 0);
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
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
