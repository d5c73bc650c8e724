import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { type ImportFixes, type ImportProblem, type ImportTarget, KontorError, UserError } from '@kontor/protocol';
import { parseFixes } from './import-fixes.ts';
import type { ColumnMapping, ImportMode } from './plan-columns.ts';

/** An uploaded file and its import options. */
export interface ImportBatch {
  readonly id: number;
  readonly model: string;
  readonly mode: ImportMode;
  readonly mapping: ColumnMapping;
  readonly fixes: ImportFixes;
  readonly skipsInvalid: boolean;
  /** Whether records that are probably there already are refused until the person has decided. */
  readonly asksDuplicates: boolean;
  readonly next: string | null;
  readonly total: number;
}

export type BatchState = 'draft' | 'running' | 'done' | 'failed' | 'cancelled';

interface Row {
  readonly id: number;
  readonly model: string;
  readonly import_mode: ImportMode;
  readonly column_mapping: string | null;
  readonly fixes: string | null;
  readonly targets: string | null;
  readonly headers: string | null;
  readonly skip_invalid: boolean | null;
  readonly next: string | null;
  readonly total: number;
  readonly state: BatchState;
}

const lockClass = 0x6b_69_6d_70;

/** Locks a batch for this transaction. A second caller gets an error at once. */
async function lockRow(env: Env, id: number): Promise<Row> {
  const [lock] = await env.db.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockClass}::int4, ${id}::int4) as taken`,
  );
  if (!lock?.taken) throw new KontorError('CONFLICT', 'This import is running already.', { id, state: 'running' });
  const [row] = await env.db.query<Row>(sql`
    select id, model, import_mode, column_mapping, fixes, targets, headers, skip_invalid, next, total, state
    from sys_bulk_import where id = ${id}::int4`);
  if (!row) throw new KontorError('NOT_FOUND');
  return row;
}

/** A batch whose columns can still be chosen. */
export interface StagedBatch extends Pick<ImportBatch, 'model' | 'mode' | 'mapping'> {
  readonly state: BatchState;
  readonly targets: readonly ImportTarget[];
  readonly headers: readonly string[];
}

export async function lockStaged(env: Env, id: number): Promise<StagedBatch> {
  const row = await lockRow(env, id);
  const read = <T>(text: string | null, without: T) => (text === null ? without : (JSON.parse(text) as T));
  return {
    ...{ state: row.state, model: row.model, mode: row.import_mode },
    mapping: read<ColumnMapping>(row.column_mapping, {}),
    targets: read<readonly ImportTarget[]>(row.targets, []),
    headers: read<readonly string[]>(row.headers, []),
  };
}

/** Locks a batch to run it. A batch marked as running that nobody has locked was interrupted, and can be run again. */
export async function lockBatch(env: Env, id: number): Promise<ImportBatch> {
  const row = await lockRow(env, id);
  if (row.state === 'done')
    throw new KontorError('CONFLICT', 'This import has been done already.', { id, state: row.state });
  if (row.state === 'cancelled')
    throw new KontorError('CONFLICT', 'This import was cancelled.', { id, state: row.state });
  return {
    ...{ id, model: row.model, mode: row.import_mode, next: row.next, total: row.total },
    mapping: row.column_mapping === null ? {} : (JSON.parse(row.column_mapping) as ColumnMapping),
    fixes: parseFixes(row.fixes),
    skipsInvalid: row.skip_invalid === true,
    asksDuplicates: false,
  };
}

export interface StagedFile {
  readonly content: string;
  readonly pointColumns: readonly number[];
}

export async function readStagedFile(db: Queryable, batchId: number): Promise<StagedFile> {
  const [row] = await db.query<{ content: string | null; point_columns: string | null }>(
    sql`select content, point_columns from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!row?.content) throw notKept();
  return { content: row.content, pointColumns: JSON.parse(row.point_columns ?? '[]') as readonly number[] };
}

export async function readStagedWorkbook(db: Queryable, batchId: number): Promise<Buffer> {
  const [row] = await db.query<{ workbook: Buffer | null }>(
    sql`select workbook from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!row?.workbook) throw notKept();
  return row.workbook;
}

function notKept(): UserError {
  return new UserError('The file of this import is no longer kept. Upload it again.');
}

/** The result of the last try. The file is deleted once it cannot be requested again. */
export interface BatchUpdate {
  readonly state: BatchState;
  readonly imported?: number;
  readonly updated?: number;
  readonly skipped?: number;
  readonly errors: readonly unknown[];
  /** Equal errors are grouped. */
  readonly problems: readonly ImportProblem[];
  /** The URL of the list of created and updated records. */
  readonly recordsPath?: string | null;
  /** A CSV file of the rows that were not imported; null: none. */
  readonly rejects: string | null;
}

/** The user's last choices, for when they return to the form. */
export async function keepChoices(db: Queryable, batch: ImportBatch): Promise<void> {
  await db.execute(sql`
    update sys_bulk_import set column_mapping = ${JSON.stringify(batch.mapping)}::jsonb,
      fixes = ${JSON.stringify(batch.fixes)}::jsonb, skip_invalid = ${batch.skipsInvalid}::bool
    where id = ${batch.id}::int4`);
}

export async function updateBatch(db: Queryable, id: number, note: BatchUpdate): Promise<void> {
  const { state, imported = 0, updated = 0, skipped = 0, errors, problems, rejects, recordsPath = null } = note;
  await db.execute(sql`
    update sys_bulk_import set state = ${state}, imported = ${imported}::int4, updated = ${updated}::int4,
      skipped = ${skipped}::int4, errors = ${JSON.stringify(errors)}::jsonb,
      problems = ${JSON.stringify(problems)}::jsonb, records_path = ${recordsPath}::text, write_date = now()
    where id = ${id}::int4`);
  const isOver = state === 'done' || state === 'cancelled';
  await db.execute(sql`
    update sys_bulk_import_file set content = case when ${isOver}::bool then null else content end,
      workbook = case when ${isOver}::bool then null else workbook end,
      rejects = ${rejects}::text
    where batch_id = ${id}::int4`);
}

/** When a batch is cancelled, nothing of the file is kept: neither its rows nor the preview. */
export async function dropStaged(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`delete from sys_bulk_import_file where batch_id = ${id}::int4`);
  await db.execute(sql`update sys_bulk_import set preview = '[]'::jsonb where id = ${id}::int4`);
}

/** The rows of the user's own batch that were not imported, as a CSV file with the reasons. */
export async function readRejects(
  env: Env,
  batchId: number,
): Promise<{ readonly name: string; readonly content: string }> {
  const [batch] = await env.model('sys.bulk.import').read([batchId], ['name']);
  const [file] = await env.db.query<{ rejects: string | null }>(
    sql`select rejects from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!file?.rejects) throw new KontorError('NOT_FOUND', 'No row of this import was skipped.');
  return { name: String(batch?.name ?? 'import.csv'), content: file.rejects };
}
