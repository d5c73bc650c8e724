import { sql } from '@kontor/database';
import { publish, workState } from '@kontor/kernel';
import { type Env, open } from '@kontor/orm';
import {
  byteOrderMark,
  csvLine,
  guardCell,
  invalidArgs,
  KontorError,
  type Translate,
  text,
  unguardCell,
} from '@kontor/protocol';
import {
  type BatchUpdate,
  type ImportBatch,
  keepChoices,
  lockBatch,
  readStagedFile,
  updateBatch,
} from './import-batch.ts';
import { type ImportOutcome, importRows, type Reject } from './import-rows.ts';
import { openTable } from './open-table.ts';
import { type ColumnMapping, planColumns } from './plan-columns.ts';

/** Errors that are kept and told; every bad row is in the file of rejects. */
const maxTold = 1_000;
const progressMs = 250;

/** What a person chose in the mapping form; null leaves what the batch says. */
export type ImportAnswers = Readonly<Record<'column_mapping' | 'skip_invalid', string | null>>;

/**
 * Runs a batch in the caller's name and transaction. Without `skip_invalid` one bad row refuses the whole with
 * VALIDATION_ERROR and `rows`; the batch then waits to be confirmed again. Returns where to go next.
 */
export async function runImport(env: Env, batchId: number, answers: ImportAnswers): Promise<string> {
  const batch = withAnswers(await lockBatch(env, batchId), answers);
  const state = workState(env.work);
  if (state && !state.isDryRun) {
    state.side.run((db) =>
      db.execute(
        sql`update sys_bulk_import set state = 'running' where id = ${batchId}::int4 and state in ('draft', 'failed')`,
      ),
    );
    state.side.onFailure(async (db, error) => {
      await keepChoices(db, batch);
      await updateBatch(db, batchId, failureNote(env, error));
    });
  }
  const outcome = await importFile(env, batch);
  if (outcome.rejects.length > 0 && !batch.skipsInvalid) throw refusal(batch, outcome);
  await keepChoices(env.db, batch);
  await updateBatch(env.db, batchId, doneNote(env, outcome));
  await publish(env, 'import.progress', { id: batchId, done: batch.total, total: batch.total }, { userId: env.uid });
  return withCounts(batch, outcome);
}

/** The rights of an outside caller: an import opens no readonly field. */
async function importFile(env: Env, batch: ImportBatch): Promise<ImportOutcome> {
  const caller = env.outside(true);
  const model = env.registry.model(batch.model);
  const table = openTable(await readStagedFile(env.db, batch.id));
  const plan = planColumns(caller, model, table, batch);
  const maxRejects = batch.skipsInvalid ? Number.POSITIVE_INFINITY : maxTold;
  return importRows(caller, plan, table, { maxRejects, onProgress: progressOf(env, batch) });
}

/** Told outside the transaction, which nobody could look into, and not more often than a person can see. */
function progressOf(env: Env, { id, total }: ImportBatch): (done: number) => void {
  const side = workState(env.work)?.side;
  let last = performance.now();
  return (done) => {
    if (performance.now() - last < progressMs) return;
    last = performance.now();
    side?.publish({ channel: 'import.progress', payload: { id, done, total }, userId: env.uid });
  };
}

function withAnswers(batch: ImportBatch, answers: ImportAnswers): ImportBatch {
  const { column_mapping: mapping, skip_invalid: skip } = answers;
  return {
    ...batch,
    mapping: mapping === null ? batch.mapping : parseMapping(mapping),
    skipsInvalid: skip === null ? batch.skipsInvalid : skip === '1' || skip === 'true',
  };
}

function parseMapping(given: string): ColumnMapping {
  let mapping: unknown;
  try {
    mapping = JSON.parse(given);
  } catch {
    mapping = null;
  }
  const isMap = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping);
  if (!isMap) throw badMapping();
  const entries = Object.entries(mapping as object).filter(([, name]) => name !== null && name !== '');
  if (entries.some(([, name]) => typeof name !== 'string')) throw badMapping();
  return Object.fromEntries(entries) as ColumnMapping;
}

function badMapping(): KontorError {
  const message = 'column_mapping must be a JSON map of column names to fields.';
  return invalidArgs(message, { field: 'column_mapping' });
}

class RefusedImport extends KontorError {
  readonly rejects: readonly Reject[];
  readonly headers: readonly string[];

  constructor(batch: ImportBatch, { rejects, isCutShort, headers }: ImportOutcome) {
    const rows = rejects.flatMap((reject) => reject.errors).slice(0, maxTold);
    super('VALIDATION_ERROR', refusalWords(rejects.length, isCutShort), {
      ...{ model: batch.model, rows, invalid: rejects.length, more: isCutShort },
      // The good rows were tried and taken back.
      ...{ imported: 0, updated: 0 },
    });
    this.rejects = rejects;
    this.headers = headers;
  }
}

function refusal(batch: ImportBatch, outcome: ImportOutcome): RefusedImport {
  return new RefusedImport(batch, outcome);
}

function refusalWords(count: number, isCutShort: boolean) {
  if (isCutShort) return text('{count} rows or more cannot be imported. Nothing was written.', { count });
  if (count === 1) return text('1 row cannot be imported. Nothing was written.');
  return text('{count} rows cannot be imported. Nothing was written.', { count });
}

function failureNote(env: Env, error: unknown): BatchUpdate {
  const say = env.registry.wordsIn(env.actor.lang);
  if (error instanceof RefusedImport) {
    const { rows } = error.translated(say).details as { rows: readonly unknown[] };
    return { state: 'draft', errors: rows, rejects: rejectsFile(error.headers, error.rejects, say) };
  }
  const isCallers = error instanceof KontorError && error.status < 500;
  const message = error instanceof KontorError ? say(error.words) : say('Something went wrong on the server.');
  return { state: isCallers ? 'draft' : 'failed', errors: [{ row: 0, column: '', message }], rejects: null };
}

function doneNote(env: Env, { imported, updated, rejects, headers }: ImportOutcome): BatchUpdate {
  const say = env.registry.wordsIn(env.actor.lang);
  const told = rejects.flatMap((reject) => reject.errors).slice(0, maxTold);
  return {
    ...{ state: 'done', imported, updated, skipped: rejects.length },
    errors: told.map(({ row, column, message }) => ({ row, column, message: say(message) })),
    rejects: rejects.length > 0 ? rejectsFile(headers, rejects, say) : null,
  };
}

function withCounts({ next, model }: ImportBatch, { imported, updated, rejects }: ImportOutcome): string {
  const url = new URL(next ?? open(model, { view: 'list' }).redirect, 'http://kontor.invalid');
  url.searchParams.set('msg', `imported_${imported}_updated_${updated}_skipped_${rejects.length}`);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Discards a staged batch with its file. Returns where to go next. */
export async function cancelImport(env: Env, batchId: number): Promise<string> {
  const { next, model } = await lockBatch(env, batchId);
  await updateBatch(env.db, batchId, { state: 'cancelled', errors: [], rejects: null });
  return next ?? open(model, { view: 'list' }).redirect;
}

/** People open the file again in a spreadsheet of theirs, whatever parts its cells. */
const quoted = /[",;\t\r\n]|^\s|\s$/;

/** The rows that were not written as a CSV file of the same columns, each with its reasons in one more. What came is not shown as a formula. */
function rejectsFile(headers: readonly string[], rejects: readonly Reject[], say: Translate): string {
  const lines = [csvLine([...headers.map(guardCell), 'import_errors'], quoted)];
  for (const { cells, errors } of rejects) {
    const own = headers.map((_, index) => guardCell(unguardCell(cells[index] ?? '')));
    const reasons = errors.map(({ column, message }) => (column === '' ? say(message) : `${column}: ${say(message)}`));
    lines.push(csvLine([...own, guardCell(reasons.join(' '))], quoted));
  }
  return byteOrderMark + lines.join('');
}
