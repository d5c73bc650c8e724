import { setImmediate } from 'node:timers/promises';
import { giveNames, inSavepoint, workState } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { splitList } from '@kontor/protocol';
import { blamedRows, isRowsFault, type Refusal } from './blame-rows.ts';
import { collectRejects, type Rejects } from './collect-rejects.ts';
import { findDuplicates } from './find-duplicates.ts';
import { matchRecords, type Taken } from './match-records.ts';
import type { Table } from './open-table.ts';
import type { ColumnPlan } from './plan-columns.ts';
import { joinRows, readLines } from './read-lines.ts';
import { changedValues, type DraftRow, type RecordRows, readRelated, startRow } from './read-rows.ts';

export interface ImportOutcome {
  readonly headers: readonly string[];
  /** Created and updated records. */
  readonly made: readonly number[];
  readonly changed: readonly number[];
  /** Rows that did not become a record. */
  readonly rejects: Rejects;
}

interface ImportOptions {
  /** This many bad rows are stored. If a bad row stops the import, the rest is not checked once that is too costly. */
  readonly maxRejects: number;
  readonly onProgress: (done: number) => void;
}

const chunkSize = 500;
/** Changes are recorded after this many, so that memory does not grow. */
const keepEvery = 500;
/** How many rows are read ahead at once; then pending database work continues. */
const aheadRows = 50;

/**
 * Reads, matches and writes a file chunk by chunk, and reports which rows could not be written and why. While the database writes a
 * chunk, the cells of the next one are read.
 */
export async function importRows(
  env: Env,
  plan: ColumnPlan,
  table: Table,
  { maxRejects, onProgress }: ImportOptions,
): Promise<ImportOutcome> {
  const taken: Taken = { records: new Map(), keys: new Map() };
  const rejects = collectRejects(table.headers, maxRejects);
  const [made, changed]: [number[], number[]] = [[], []];
  const refuse = ({ row, errors }: Refusal): boolean => {
    rejects.addStored(row, errors);
    return !rejects.isFull;
  };
  let done = 0;
  const rows = plan.lines.length === 0 ? table.rows() : joinRows(plan, table.rows());
  const chunks = chunksOf(plan, rows);
  for (let ahead = startChunk(plan, chunks); ; ) {
    const drafts = await ahead;
    if (drafts === null) break;
    const good = await readGood(env, plan, drafts, taken, rejects);
    const [fresh, known] = [good.filter((row) => row.target === null), good.filter((row) => row.target !== null)];
    const storing = storeChunk(env, plan, { fresh, known }, refuse);
    // Its rejection must not count as unhandled while the other promise is awaited.
    storing.catch(() => {});
    ahead = startChunk(plan, chunks);
    ahead.catch(() => {});
    const stored = await storing;
    for (const id of stored.made) made.push(id);
    for (const id of stored.changed) changed.push(id);
    done += rowsIn(drafts);
    // Recorded while the next rows are checked.
    if (env.work.changes.length >= keepEvery) await workState(env.work)?.keepSoFar();
    onProgress(done);
    if (rejects.isFull) break;
  }
  return { headers: table.headers, made, changed, rejects };
}

/** Reads the cells of the next chunk a few rows at a time, interleaved with other work; null after the last. */
async function startChunk(
  plan: ColumnPlan,
  chunks: Iterator<readonly RecordRows[]>,
): Promise<readonly DraftRow[] | null> {
  await setImmediate();
  const next = chunks.next();
  if (next.done) return null;
  const drafts: DraftRow[] = [];
  for (const row of next.value) {
    if (drafts.length % aheadRows === 0) await setImmediate();
    drafts.push(startRow(plan, row));
  }
  return drafts;
}

async function readGood(
  env: Env,
  plan: ColumnPlan,
  read: readonly DraftRow[],
  taken: Taken,
  rejects: Rejects,
): Promise<readonly DraftRow[]> {
  await readRelated(plan, read);
  if (plan.lines.length > 0) await readLines(plan, read);
  if (plan.likely.length > 0) await findDuplicates(env, plan, read, taken);
  const drafts = read.filter((draft) => draft.leftOut.length === 0);
  if (drafts.length < read.length) {
    for (const draft of read) if (draft.leftOut.length > 0) rejects.leaveOut(draft, draft.leftOut);
  }
  await matchRecords(env, plan, drafts, taken);
  for (const row of drafts) if (row.errors.length > 0) rejects.add(row, row.errors);
  return drafts.filter((row) => row.errors.length === 0);
}

async function storeChunk(
  env: Env,
  plan: ColumnPlan,
  { fresh, known }: { readonly fresh: readonly DraftRow[]; readonly known: readonly DraftRow[] },
  refuse: (refusal: Refusal) => boolean,
): Promise<{ readonly made: readonly number[]; readonly changed: readonly number[] }> {
  const made = await storeRows(env, plan, fresh, refuse);
  return { made, changed: await storeRows(env, plan, known, refuse) };
}

function* chunksOf(plan: ColumnPlan, rows: Iterable<RecordRows>): Generator<readonly RecordRows[]> {
  const waiting: RecordRows[] = [];
  let count = 0;
  for (const row of rows) {
    waiting.push(row);
    count += row.lines?.length ?? 1;
    if (count < chunkSize) continue;
    yield waiting.splice(0, independentRows(plan, waiting));
    count = rowsIn(waiting);
  }
  while (waiting.length > 0) yield waiting.splice(0, independentRows(plan, waiting));
}

function rowsIn(records: readonly { readonly lines?: DraftRow['lines'] | undefined }[]): number {
  return records.reduce((sum, { lines }) => sum + (lines?.length ?? 1), 0);
}

/**
 * How many rows from the start can be written at once: none of them refers to another of them. A record that an earlier row creates
 * can only be found by name once that row is written.
 */
function independentRows({ model, columns, id }: ColumnPlan, rows: readonly RecordRows[]): number {
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

/**
 * Writes rows, all at once if possible. If not, the rows that the error names are left out, or the rows are bisected until the bad
 * one is isolated; everything else is written.
 */
async function storeRows(
  env: Env,
  plan: ColumnPlan,
  rows: readonly DraftRow[],
  refuse: (refusal: Refusal) => boolean,
): Promise<readonly number[]> {
  if (rows.length === 0) return [];
  const since = env.work.changes.length;
  let made: readonly number[] = [];
  try {
    return await inSavepoint(env, () =>
      write(env, plan, rows).catch((error: unknown) => {
        made = madeSince(env, plan, since);
        throw error;
      }),
    );
  } catch (error) {
    if (!isRowsFault(error)) throw error;
    const blamed = blamedRows(plan, rows, error, made);
    let goesOn = true;
    for (const refusal of blamed) goesOn = refuse(refusal) && goesOn;
    if (!goesOn) return [];
    const bad = new Set(blamed.map(({ row }) => row));
    const rest = rows.filter((row) => !bad.has(row));
    if (blamed.length > 0) return storeRows(env, plan, rest, refuse);
    const middle = rows.length >> 1;
    const first = await storeRows(env, plan, rows.slice(0, middle), refuse);
    return [...first, ...(await storeRows(env, plan, rows.slice(middle), refuse))];
  }
}

/** The records that a failed write had created, in row order. */
function madeSince(env: Env, { model }: ColumnPlan, since: number): readonly number[] {
  const changes = env.work.changes.slice(since);
  return changes.flatMap((each) => (each.operation === 'create' && each.model === model.name ? each.id : []));
}

/** Creates new records or updates known ones; a call never mixes them. Returns their ids. */
async function write(env: Env, { model }: ColumnPlan, rows: readonly DraftRow[]): Promise<readonly number[]> {
  const records = env.model(model.name);
  if (rows[0]?.target !== null) {
    const writes = rows.map((row) => ({ id: row.target as number, values: changedValues(row, model.fields) }));
    await records.writeEach(writes);
    return writes.map(({ id }) => id);
  }
  const ids = await records.createMany(rows.map((row) => row.values));
  await nameRecords(env, model.name, rows, ids);
  return ids;
}

/** Gives new records the external ids of the file. */
async function nameRecords(env: Env, model: string, rows: readonly DraftRow[], ids: readonly number[]): Promise<void> {
  const named = rows.flatMap(({ externalId }, index) =>
    externalId === null ? [] : [{ externalId, id: ids[index] as number }],
  );
  await giveNames(env, env.registry.model(model), named);
}
