import type { Kernel } from '@kontor/kernel';
import { type Env, type Field, planReading } from '@kontor/orm';
import { byteOrderMark, csvLine, dateIn, guardCell, joinList, type WireRecord } from '@kontor/protocol';
import type { WorkspaceCaller } from '@kontor/workspace';
import { partPaths } from '../import/import-targets.ts';
import { type Download, type DownloadFile, fileName } from './download.ts';
import { tableProjection } from './export-pdf.ts';
import type { ColumnsQuery, ExportQuery } from './export-query.ts';
import {
  columnsProjection,
  type ExportColumn,
  type ExportPlan,
  exportColumns,
  exportModel,
  isFlat,
  planExport,
} from './plan-export.ts';
import { readableCsv } from './readable-csv.ts';

type Caller = Pick<WorkspaceCaller, 'actor' | 'lastWrite'>;

/** Every matching row, in one snapshot. */
export async function exportCsv(kernel: Kernel, caller: Caller, query: ExportQuery, download: Download): Promise<void> {
  const { signal } = download;
  const options = { isOutside: true, replica: caller, snapshot: { signal } };
  await kernel.read(caller.actor, (env) => send(kernel, env, query, download), options);
}

async function send(kernel: Kernel, env: Env, query: ExportQuery, download: Download): Promise<void> {
  const { isReadable } = query;
  const plan = await planExport(kernel, env, query, isReadable ? tableProjection : columnsProjection);
  const file = { name: fileName(plan.title, 'csv', dateIn(env.actor.tz, env.now)), type: 'text/csv; charset=utf-8' };
  const readable = isReadable ? readableCsv(env, plan.columns) : null;
  const paths = plan.columns.map(({ path }) => path);
  const parts = (readable ? readable.parts(plan.reading) : partsOf(plan, paths))[Symbol.asyncIterator]();
  // The first rows show whether the database can run the query at all.
  let next = query.isTrial ? null : await parts.next();
  download.begin(file);
  if (next === null) return;
  await download.write(Buffer.from(csvHeader(readable?.header ?? paths)));
  for (; !next.done; next = await parts.next()) await download.write(next.value);
}

export function csvHeader(fields: readonly string[]): string {
  return byteOrderMark + csvLine(fields.map(guardCell));
}

function partsOf({ columns, reading }: ExportPlan, fields: readonly string[]): AsyncIterable<Uint8Array> {
  const written = isFlat(columns) ? reading.csvParts(fields) : null;
  return written ?? recordParts(columns, reading);
}

async function* recordParts(
  columns: ExportPlan['columns'],
  reading: ExportPlan['reading'],
): AsyncGenerator<Uint8Array> {
  for await (const records of reading.recordParts()) yield Buffer.from(csvRecords(columns, records));
}

type Lines = readonly (number | WireRecord)[];

/** Records as lines of CSV, for columns that are not in the row itself: lines, or values computed on read. */
export function csvRecords(columns: readonly ExportColumn[], records: readonly WireRecord[]): string {
  let lines = '';
  const isSpread = columns.some((column) => column.isSpread);
  for (const record of records) {
    const count = isSpread ? lineCount(columns, record) : 1;
    for (let line = 0; line < count; line++) lines += csvLine(columns.map((column) => cellOf(column, record, line)));
  }
  return lines;
}

/** A record without lines has one row. */
function lineCount(columns: readonly ExportColumn[], record: WireRecord): number {
  const counts = columns.map(({ isSpread, lines }) => (isSpread ? (record[lines as string] as Lines).length : 0));
  return Math.max(1, ...counts);
}

/** The record's own values are in its first row; the rows below contain only its lines. */
function cellOf({ path, lines, field, isSpread }: ExportColumn, record: WireRecord, at: number): string {
  if (isSpread) {
    const line = (record[lines as string] as readonly WireRecord[])[at];
    return line === undefined ? '' : valueCell(field, line[field.name]);
  }
  if (at > 0) return '';
  if (lines !== null) {
    const values = (record[lines] as readonly WireRecord[]).map((line) => valueText(field, line[field.name]));
    return guardCell(joinList(values));
  }
  return valueCell(field, record[path]);
}

function valueCell(field: Field, value: unknown): string {
  if (Array.isArray(value)) return guardCell(joinList((value as Lines).map((line) => String(idOf(line)))));
  const text = valueText(field, value);
  return isPlain(field) ? text : guardCell(text);
}

function idOf(line: number | WireRecord): number {
  return typeof line === 'number' ? line : line.id;
}

/** Its text was not written by a user. */
function isPlain({ kind }: Field): boolean {
  return kind.isNumber || kind.isBoolean || kind.isDate || kind.isToOne;
}

function valueText({ kind }: Field, value: unknown): string {
  return value === null || value === undefined ? '' : kind.toText(value);
}

/** The header row for an import of these fields; `hasLines` adds the columns of the record's lines. */
export async function bulkTemplate(
  kernel: Kernel,
  { actor }: Pick<WorkspaceCaller, 'actor'>,
  { model: name, fields, hasLines }: ColumnsQuery,
): Promise<DownloadFile & { readonly text: string }> {
  return kernel.read(
    actor,
    async (env) => {
      const model = exportModel(env, name);
      const columns = exportColumns(env, model, [...new Set([...fields, ...(hasLines ? partPaths(env, model) : [])])]);
      // Names of fields that the user may not read are not revealed.
      planReading(env, model, { domain: [], projection: columnsProjection(columns), order: undefined });
      return {
        name: fileName(model.label, 'csv'),
        type: 'text/csv; charset=utf-8',
        text: csvHeader(columns.map(({ path }) => path)),
      };
    },
    { isOutside: true },
  );
}
