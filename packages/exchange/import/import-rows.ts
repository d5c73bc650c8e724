import { giveNames, inSavepoint, workState } from '@kontor/kernel';
import { ConstraintError, type Env, type Field, fieldKinds, type Violation } from '@kontor/orm';
import { type CsvRow, KontorError, splitList, text, type Values, type Words } from '@kontor/protocol';
import { type MatchedRow, matchRecords, type Taken } from './match-records.ts';
import type { Table } from './open-table.ts';
import type { ColumnPlan } from './plan-columns.ts';
import { type CellError, type DraftRow, readRows } from './read-rows.ts';

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

/** A row that cannot be written, with its reasons. */
interface Refusal {
  readonly row: MatchedRow;
  readonly errors: readonly CellError[];
}

/**
 * Writes rows, all at once where that works. Where it does not, the rows that the error names are left out, or the rows are
 * halved until the one that is to blame stands alone; everything else is written.
 */
async function storeRows(
  env: Env,
  plan: ColumnPlan,
  rows: readonly MatchedRow[],
  refuse: (refusal: Refusal) => boolean,
): Promise<number> {
  if (rows.length === 0) return 0;
  const since = env.work.changes.length;
  let made: readonly number[] = [];
  try {
    await inSavepoint(env, () =>
      write(env, plan, rows).catch((error: unknown) => {
        made = madeSince(env, plan, since);
        throw error;
      }),
    );
    return rows.length;
  } catch (error) {
    if (!isRowsFault(error)) throw error;
    const blamed = blamedRows(plan, rows, error, made);
    let goesOn = true;
    for (const refusal of blamed) goesOn = refuse(refusal) && goesOn;
    if (!goesOn) return 0;
    const bad = new Set(blamed.map(({ row }) => row));
    const rest = rows.filter((row) => !bad.has(row));
    if (blamed.length > 0) return storeRows(env, plan, rest, refuse);
    const middle = rows.length >> 1;
    const first = await storeRows(env, plan, rows.slice(0, middle), refuse);
    return first + (await storeRows(env, plan, rows.slice(middle), refuse));
  }
}

/** The records that a failed write had made, in the order of its rows. */
function madeSince(env: Env, { model }: ColumnPlan, since: number): readonly number[] {
  const changes = env.work.changes.slice(since);
  return changes.flatMap((each) => (each.operation === 'create' && each.model === model.name ? each.id : []));
}

/** New records, or changes of known ones; a call never mixes them. */
async function write(env: Env, { model }: ColumnPlan, rows: readonly MatchedRow[]): Promise<void> {
  const records = env.model(model.name);
  if (rows[0]?.target !== null) {
    await records.writeEach(
      rows.map((row) => ({ id: row.target as number, values: changedValues(row, model.fields) })),
    );
    return;
  }
  const ids = await records.createMany(rows.map((row) => row.values));
  await nameRecords(env, model.name, rows, ids);
}

function changedValues(row: MatchedRow, fields: ReadonlyMap<string, Field>): Values {
  const values: Record<string, unknown> = { ...row.values };
  for (const name of row.empty) {
    const isList = fields.get(name)?.kind === fieldKinds.many2many;
    values[name] = isList ? [['clear']] : null;
  }
  return values;
}

/** Gives new records the external ids of the file. */
async function nameRecords(
  env: Env,
  model: string,
  rows: readonly MatchedRow[],
  ids: readonly number[],
): Promise<void> {
  const named = rows.flatMap(({ externalId }, index) =>
    externalId === null ? [] : [{ externalId, id: ids[index] as number }],
  );
  await giveNames(env, env.registry.model(model), named);
}

const ofRows: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'USER_ERROR',
  'ACCESS_DENIED',
  'NOT_FOUND',
  'CONFLICT',
]);

function isRowsFault(error: unknown): error is KontorError {
  return error instanceof KontorError && ofRows.has(error.code);
}

type Messages = Readonly<Record<string, readonly Words[]>>;

/** The rows that an error is about: those it names, or the only one there is. */
function blamedRows(
  plan: ColumnPlan,
  rows: readonly MatchedRow[],
  error: KontorError,
  made: readonly number[],
): Refusal[] {
  if (error instanceof ConstraintError) {
    const broken = byViolation(plan, rows, error, made);
    if (broken.length > 0) return broken;
  }
  const details = error.wordedDetails as {
    rows?: readonly { readonly index: number; readonly fields: Messages }[];
    fields?: Messages;
  };
  if (details.rows) {
    return details.rows.flatMap(({ index, fields }) => {
      const row = rows[index];
      return row ? [{ row, errors: errorsOf(plan, row, fields) }] : [];
    });
  }
  const [only, second] = rows;
  if (only === undefined || second !== undefined) return [];
  const errors = details.fields && Object.keys(details.fields).length > 0 ? errorsOf(plan, only, details.fields) : [];
  return [{ row: only, errors: errors.length > 0 ? errors : [{ row: only.row, column: '', message: error.words }] }];
}

/** The rows whose own records break a constraint; nothing where a record of another model does. */
function byViolation(
  plan: ColumnPlan,
  rows: readonly MatchedRow[],
  { violations }: ConstraintError,
  made: readonly number[],
): Refusal[] {
  if (violations.some(({ model }) => model !== plan.model.name)) return [];
  const byId = new Map<number, Violation[]>();
  for (const each of violations) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  return rows.flatMap((row, index) => {
    const own = byId.get(row.target ?? made[index] ?? 0) ?? [];
    const errors = own.flatMap(({ field, message }) => errorsOf(plan, row, { [field]: [message] }));
    return errors.length > 0 ? [{ row, errors }] : [];
  });
}

function errorsOf({ columns }: ColumnPlan, { row }: MatchedRow, fields: Messages): CellError[] {
  return Object.entries(fields).flatMap(([name, messages]) => {
    const column = columns.find(({ field }) => field.name === name)?.header ?? name;
    return messages.map((message) => ({ row, column, message: said(message) }));
  });
}

/** Messages at fields are for people also where they are plain words. */
function said(message: Words): Words {
  return typeof message === 'string' ? text(message) : message;
}
