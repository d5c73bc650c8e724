import { decimalText, type Field, isDecimal } from '@kontor/orm';
import { csvLine, guardCell, joinList, type WireRecord } from '@kontor/protocol';
import type { ExportColumn } from './export-columns.ts';

type Lines = readonly (number | WireRecord)[];

const plainTypes: ReadonlySet<string> = new Set([
  'integer',
  'float',
  'decimal',
  'monetary',
  'boolean',
  'date',
  'datetime',
  'many2one',
]);

/** Records as lines of CSV, where a column holds what is not in the row itself: lines, or what is worked out on reading. */
export function csvRecords(columns: readonly ExportColumn[], records: readonly WireRecord[]): string {
  let lines = '';
  for (const record of records) lines += csvLine(columns.map((column) => cellOf(column, record)));
  return lines;
}

function cellOf({ path, lines, field }: ExportColumn, record: WireRecord): string {
  if (lines !== null) {
    const values = (record[lines] as readonly WireRecord[]).map((line) => valueText(field, line[field.name]));
    return guardCell(joinList(values));
  }
  const value = record[path];
  if (Array.isArray(value)) return guardCell(joinList((value as Lines).map((line) => String(idOf(line)))));
  const text = valueText(field, value);
  return plainTypes.has(field.spec.type) ? text : guardCell(text);
}

function idOf(line: number | WireRecord): number {
  return typeof line === 'number' ? line : line.id;
}

function valueText(field: Field, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isDecimal(value)) return decimalText(value);
  if (field.spec.type === 'json' || typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
