import { workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { type CsvRow, splitList } from '@kontor/protocol';
import { type MatchedRow, matchRecords, type Taken } from './match-records.ts';
import type { Table } from './open-table.ts';
import type { ColumnPlan } from './plan-columns.ts';
import { type CellError, type DraftRow, readRows } from './read-rows.ts';
import { storeRows } from './store-rows.ts';

export interface ImportOutcome {
  readonly headers: readonly string[];
  readonly imported: number;
  readonly updated: number;
  /** Rows that could not be written, with their cells. */
  readonly rejects: readonly Reject[];
  /** There were too many to look at the rest. */
  readonly isCutShort: boolean;
}

export interface Reject {
  readonly row: number;
  readonly cells: readonly string[];
  readonly errors: readonly CellError[];
}

interface ImportOptions {
  /** Past so many bad rows the rest is not looked at; only where a bad row stops the import. */
  readonly maxRejects: number;
  readonly onProgress: (done: number) => void;
}

const chunkSize = 1_000;
/** What is changed is written down after so many changes, so that memory stays flat. */
const keepEvery = 2_000;

/** Reads, matches and writes a file chunk by chunk, and tells which rows could not be written and why. */
export async function importRows(
  env: Env,
  plan: ColumnPlan,
  table: Table,
  { maxRejects, onProgress }: ImportOptions,
): Promise<ImportOutcome> {
  const taken: Taken = { records: new Map(), keys: new Map() };
  const rejects: Reject[] = [];
  const reject = ({ row, cells }: DraftRow, errors: readonly CellError[]): boolean => {
    rejects.push({ row, cells, errors });
    return rejects.length < maxRejects;
  };
  let [imported, updated, done] = [0, 0, 0];
  for (const chunk of chunksOf(plan, table.rows())) {
    const good = await readGood(env, plan, chunk, taken, reject);
    const refuse = ({ row, errors }: { row: MatchedRow; errors: readonly CellError[] }) => reject(row, errors);
    imported += await storeRows(
      env,
      plan,
      good.filter((row) => row.target === null),
      refuse,
    );
    updated += await storeRows(
      env,
      plan,
      good.filter((row) => row.target !== null),
      refuse,
    );
    done += chunk.length;
    if (env.work.changes.length >= keepEvery) await workState(env.work)?.keepSoFar();
    onProgress(done);
    if (rejects.length >= maxRejects) break;
  }
  const sorted = rejects.toSorted((a, b) => a.row - b.row);
  return { headers: table.headers, imported, updated, rejects: sorted, isCutShort: rejects.length >= maxRejects };
}

async function readGood(
  env: Env,
  plan: ColumnPlan,
  chunk: readonly CsvRow[],
  taken: Taken,
  reject: (row: DraftRow, errors: readonly CellError[]) => boolean,
): Promise<readonly MatchedRow[]> {
  const drafts = await readRows(plan, chunk);
  const matched = await matchRecords(env, plan, drafts, taken);
  for (const row of matched) if (row.errors.length > 0) reject(row, row.errors);
  return matched.filter((row) => row.errors.length === 0);
}

function* chunksOf(plan: ColumnPlan, rows: Iterable<CsvRow>): Generator<readonly CsvRow[]> {
  const waiting: CsvRow[] = [];
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length < chunkSize) continue;
    const chunk = waiting.splice(0, independentRows(plan, waiting));
    yield chunk;
  }
  while (waiting.length > 0) yield waiting.splice(0, independentRows(plan, waiting));
}

/**
 * How many rows from the beginning can be written at once: none of them points at another of them. Names of records that an
 * earlier row makes can only be found once that row is written.
 */
function independentRows({ model, columns, id }: ColumnPlan, rows: readonly CsvRow[]): number {
  const own = columns.filter(({ field, lookup }) => lookup && field.spec.relation === model.name);
  if (own.length === 0) return rows.length;
  const naming = [
    ...columns.filter(({ field }) => field.name === 'name').map(({ index }) => index),
    ...(id ? [id.index] : []),
  ];
  const names = new Set<string>();
  for (const [count, { cells }] of rows.entries()) {
    const asked = own.flatMap(({ index, field }) => {
      const cell = (cells[index] ?? '').trim();
      return field.kind.isLinks ? splitList(cell) : [cell];
    });
    if (asked.some((name) => names.has(name))) return count;
    for (const index of naming) {
      const name = (cells[index] ?? '').trim();
      if (name !== '') names.add(name);
    }
  }
  return rows.length;
}
