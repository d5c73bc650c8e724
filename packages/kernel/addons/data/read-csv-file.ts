import { byteOrderMark, CsvError, type CsvRow, csvRows, isBlankRow } from '@kontor/protocol';
import { AddonError, attempt, type Place, type ReportMistake } from '../addon-error.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import type { DataFile } from './list-data-files.ts';
import { fileValue } from './list-data-files.ts';
import { ownExternalId, referredIds } from './read-external-id.ts';

/** A row with its cells by column name. */
interface NamedRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * The records of a CSV file that is named after its model; a number in front (`10-core.country.csv`) only sets the
 * order.
 */
export function readCsvFile(file: DataFile, text: string, report?: ReportMistake): readonly DataRecord[] {
  const model = file.file.slice(file.file.lastIndexOf('/') + 1, -'.csv'.length).replace(/^\d+[-_]/, '');
  const { header, headLine, rows } = readRows(file, text, report);
  if (!header.includes('id')) throw new AddonError(at(file, headLine), 'The column "id" is missing.');
  const columns = header.filter((column) => column !== 'id');
  return eachRow(rows, report, ({ line, cells }) => {
    const place = at(file, line);
    const named = { line, headLine };
    return {
      place,
      id: ownExternalId(cells.id ?? '', place),
      model,
      noupdate: false,
      fields: columns.map((column) => ({ ...named, ...readCell(column, cells[column] ?? '', place, file) })),
    };
  });
}

function readCell(column: string, text: string, place: Place, file: DataFile): Pick<DataField, 'name' | 'value'> {
  const [, name = column, way] = /^(.*):(ref|today|now|file)$/.exec(column) ?? [];
  if (way === 'ref') return { name, value: { kind: 'refs', refs: referredIds(text, place) } };
  if (way === 'file') return { name, value: { kind: 'text', text: fileValue(file, text, place) } };
  if (way === 'today' || way === 'now') return { name, value: { kind: 'relative', from: way, text } };
  return { name, value: { kind: 'text', text } };
}

/** Each row by itself, so that a mistake in one does not hide those of the others. */
function eachRow<Row, Result>(
  rows: readonly Row[],
  report: ReportMistake | undefined,
  read: (row: Row) => Result,
): readonly Result[] {
  return rows.flatMap((row) => attempt<readonly Result[]>(report, [], () => [read(row)]));
}

interface Rows {
  readonly header: readonly string[];
  readonly headLine: number;
  readonly rows: readonly NamedRow[];
}

function readRows(file: DataFile, text: string, report?: ReportMistake): Rows {
  const [first, ...rest] = filledRows(file, text);
  if (!first) throw new AddonError(at(file, 1), 'The file is empty.');
  const header = first.cells.map((name) => name.trim());
  const repeated = header.find((name, index) => header.indexOf(name) !== index);
  if (repeated !== undefined) throw new AddonError(at(file, first.line), `The column "${repeated}" is there twice.`);
  const rows = eachRow(rest, report, ({ line, cells }) => {
    if (cells.length !== header.length) {
      const problem = `Broken CSV: a row of ${cells.length} cells under ${header.length} columns.`;
      throw new AddonError(at(file, line), problem);
    }
    return { line, cells: Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])) };
  });
  return { header, headLine: first.line, rows };
}

function filledRows(file: DataFile, text: string): readonly CsvRow[] {
  const body = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  try {
    return [...csvRows(body, ',')].filter((row) => !isBlankRow(row));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AddonError(at(file, error.line), `Broken CSV: ${error.message}.`);
  }
}

function at({ addon, file }: DataFile, line: number): DataRecord['place'] {
  return { addon, file, line };
}

const columns = ['id', 'name', 'model', 'group', 'read', 'write', 'create', 'unlink'];
const rights = ['read', 'write', 'create', 'unlink'];

/** `security/access.csv`: access rights by model and group. */
export function readAccessFile(file: DataFile, text: string, report?: ReportMistake): readonly DataRecord[] {
  const { header, headLine, rows } = readRows(file, text, report);
  if (header.join() !== columns.join()) {
    throw new AddonError(at(file, headLine), `The header must be ${columns.join()}.`);
  }
  return eachRow(rows, report, (row) => accessRecord(file, row));
}

function accessRecord(file: DataFile, { line, cells }: NamedRow): DataRecord {
  const place = { addon: file.addon, file: file.file, line };
  const text = (name: string): DataValue => ({ kind: 'text', text: cells[name] ?? '' });
  for (const right of rights) {
    if (cells[right] === '0' || cells[right] === '1') continue;
    throw new AddonError(place, `"${right}" must be 0 or 1, not "${cells[right]}".`);
  }
  return {
    place,
    id: ownExternalId(cells.id ?? '', place),
    model: 'sys.access',
    noupdate: false,
    fields: [
      { name: 'name', line, value: text('name') },
      { name: 'model', line, value: text('model') },
      { name: 'group_id', line, value: { kind: 'refs', refs: referredIds(cells.group ?? '', place) } },
      ...rights.map((right) => ({ name: `perm_${right}`, line, value: text(right) })),
    ],
  };
}
