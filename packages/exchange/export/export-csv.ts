import type { Kernel } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { byteOrderMark, csvLine, dateIn, guardCell } from '@kontor/protocol';
import type { WorkspaceCaller } from '@kontor/workspace';
import { csvRecords } from './csv-records.ts';
import { type Download, fileName } from './download.ts';
import { columnsProjection, isFlat } from './export-columns.ts';
import type { ExportQuery } from './export-query.ts';
import { type ExportPlan, planExport } from './plan-export.ts';

type Caller = Pick<WorkspaceCaller, 'actor' | 'lastWrite'>;

/** Every row that matches, in one picture of the data, however many there are. */
export async function exportCsv(kernel: Kernel, caller: Caller, query: ExportQuery, download: Download): Promise<void> {
  const { signal } = download;
  const options = { isOutside: true, replica: caller, snapshot: { signal } };
  await kernel.read(caller.actor, (env) => send(kernel, env, query, download), options);
}

async function send(kernel: Kernel, env: Env, query: ExportQuery, download: Download): Promise<void> {
  const plan = await planExport(kernel, env, query, columnsProjection);
  const file = { name: fileName(plan.title, 'csv', dateIn(env.actor.tz, env.now)), type: 'text/csv; charset=utf-8' };
  const parts = partsOf(plan, query.fields)[Symbol.asyncIterator]();
  // The first rows tell whether the database can do it at all.
  let next = query.isTrial ? null : await parts.next();
  download.begin(file);
  if (next === null) return;
  await download.write(Buffer.from(csvHeader(query.fields)));
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
