import { CsvError, parse } from 'csv-parse/sync';
import { AddonError } from '../addon-error.ts';
import type { DataField, DataRecord } from './data-record.ts';
import { ownExternalId, referredIds } from './external-name.ts';
import { fileValue } from './file-value.ts';
import type { DataFile } from './list-data-files.ts';

export interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** The records of a CSV file that is named after its model; a number in front (`10-core.country.csv`) only sets its turn. */
export function readCsvFile(file: DataFile, text: string): readonly DataRecord[] {
  const model = file.file.slice(file.file.lastIndexOf('/') + 1, -'.csv'.length).replace(/^\d+[-_]/, '');
  const { header, rows } = readRows(file, text);
  if (!header.includes('id')) throw new AddonError({ ...file, line: 1 }, 'The column "id" is missing.');
  return rows.map(({ line, cells }) => {
    const place = { addon: file.addon, file: file.file, line };
    const columns = header.filter((column) => column !== 'id');
    return {
      place,
      id: ownExternalId(cells.id ?? '', place),
      model,
      noupdate: false,
      fields: columns.map((column) => readCell(column, cells[column] ?? '', place, file)),
    };
  });
}

function readCell(column: string, text: string, place: DataRecord['place'], file: DataFile): DataField {
  const { line } = place;
  const [, name = column, way] = /^(.*):(ref|today|now|file)$/.exec(column) ?? [];
  if (way === 'ref') return { name, line, value: { kind: 'refs', refs: referredIds(text, place) } };
  if (way === 'file') return { name, line, value: { kind: 'text', text: fileValue(file, text, place) } };
  if (way === 'today' || way === 'now') return { name, line, value: { kind: 'relative', from: way, text } };
  return { name, line, value: { kind: 'text', text } };
}

export function readRows(file: DataFile, text: string): { header: readonly string[]; rows: readonly CsvRow[] } {
  const [first, ...rest] = parseCsv(file, text);
  if (!first) throw new AddonError({ addon: file.addon, file: file.file, line: 1 }, 'The file is empty.');
  const header = first.record.map((name) => name.trim());
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new AddonError({ addon: file.addon, file: file.file, line: 1 }, `The column "${repeated}" is there twice.`);
  }
  const rows = rest.map(({ record, info }) => {
    const inside = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    return {
      line: info.lines - inside,
      cells: Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])),
    };
  });
  return { header, rows };
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function parseCsv(file: DataFile, text: string): readonly ParsedRow[] {
  try {
    return parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as readonly ParsedRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as unknown as { lines?: number }).lines;
    throw new AddonError(
      { addon: file.addon, file: file.file, ...(line && { line }) },
      `Broken CSV: ${error.message}.`,
    );
  }
}
