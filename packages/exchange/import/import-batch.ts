import { type Queryable, sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { KontorError, UserError } from '@kontor/protocol';
import type { ColumnMapping, ImportMode } from './plan-columns.ts';

/** A staged file and what is to be done with it. */
export interface ImportBatch {
  readonly id: number;
  readonly model: string;
  readonly mode: ImportMode;
  readonly mapping: ColumnMapping;
  readonly skipsInvalid: boolean;
  readonly next: string | null;
  readonly total: number;
}

export type BatchState = 'draft' | 'running' | 'done' | 'failed' | 'cancelled';

interface Row {
  readonly id: number;
  readonly model: string;
  readonly import_mode: ImportMode;
  readonly column_mapping: string | null;
  readonly skip_invalid: boolean | null;
  readonly next: string | null;
  readonly total: number;
  readonly state: BatchState;
}

const lockClass = 0x6b_69_6d_70;

/**
 * Takes a batch for this transaction alone. Of two that want it at once one gets it, and the other an answer at once. A batch
 * that says it is running while nobody holds it was cut off, and may be taken again.
 */
export async function lockBatch(env: Env, id: number): Promise<ImportBatch> {
  const [lock] = await env.db.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockClass}::int4, ${id}::int4) as taken`,
  );
  if (!lock?.taken) throw new KontorError('CONFLICT', 'This import is running already.', { id, state: 'running' });
  const [row] = await env.db.query<Row>(sql`
    select id, model, import_mode, column_mapping, skip_invalid, next, total, state
    from sys_bulk_import where id = ${id}::int4`);
  if (!row) throw new KontorError('NOT_FOUND');
  if (row.state === 'done')
    throw new KontorError('CONFLICT', 'This import has been done already.', { id, state: row.state });
  if (row.state === 'cancelled')
    throw new KontorError('CONFLICT', 'This import was cancelled.', { id, state: row.state });
  return {
    ...{ id, model: row.model, mode: row.import_mode, next: row.next, total: row.total },
    mapping: row.column_mapping === null ? {} : (JSON.parse(row.column_mapping) as ColumnMapping),
    skipsInvalid: row.skip_invalid === true,
  };
}

export async function readStagedFile(db: Queryable, batchId: number): Promise<string> {
  const [row] = await db.query<{ content: string | null }>(
    sql`select content from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!row?.content) throw new UserError('The file of this import is no longer kept. Upload it again.');
  return row.content;
}

/** What the last try came to. The file goes once nobody can ask for it again. */
export interface BatchUpdate {
  readonly state: BatchState;
  readonly imported?: number;
  readonly updated?: number;
  readonly skipped?: number;
  readonly errors: readonly unknown[];
  /** A CSV file of the rows that were not written; null: there are none. */
  readonly rejects: string | null;
}

/** What the person chose last, for the form that they come back to. */
export async function keepChoices(db: Queryable, batch: ImportBatch): Promise<void> {
  await db.execute(sql`
    update sys_bulk_import set column_mapping = ${JSON.stringify(batch.mapping)}::jsonb,
      skip_invalid = ${batch.skipsInvalid}::bool
    where id = ${batch.id}::int4`);
}

export async function updateBatch(db: Queryable, id: number, note: BatchUpdate): Promise<void> {
  const { state, imported = 0, updated = 0, skipped = 0, errors, rejects } = note;
  await db.execute(sql`
    update sys_bulk_import set state = ${state}, imported = ${imported}::int4, updated = ${updated}::int4,
      skipped = ${skipped}::int4, errors = ${JSON.stringify(errors)}::jsonb, write_date = now()
    where id = ${id}::int4`);
  const isOver = state === 'done' || state === 'cancelled';
  await db.execute(sql`
    update sys_bulk_import_file set content = case when ${isOver}::bool then null else content end,
      rejects = ${rejects}::text
    where batch_id = ${id}::int4`);
}

/** The rows of one's own batch that were not written, as a CSV file with their reasons. */
export async function readRejects(
  env: Env,
  batchId: number,
): Promise<{ readonly name: string; readonly content: string }> {
  const [batch] = await env.model('sys.bulk.import').read([batchId], ['name']);
  const [file] = await env.db.query<{ rejects: string | null }>(
    sql`select rejects from sys_bulk_import_file where batch_id = ${batchId}::int4`,
  );
  if (!file?.rejects) throw new KontorError('NOT_FOUND', 'No row of this import was left out.');
  return { name: String(batch?.name ?? 'import.csv'), content: file.rejects };
}
