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
  ValidationError,
  yesOrNo,
} from '@kontor/protocol';
import {
  type BatchUpdate,
  dropStaged,
  type ImportBatch,
  keepChoices,
  lockBatch,
  readStagedFile,
  updateBatch,
} from './import-batch.ts';
import { parseFixes } from './import-fixes.ts';
import { type ImportOutcome, importRows } from './import-rows.ts';
import { openTable } from './open-table.ts';
import { type ColumnMapping, planColumns } from './plan-columns.ts';
import { recordsPath } from './records-path.ts';
import { inTightHeap } from './tight-heap.ts';

/** Errors that are kept and told; every bad row is in the file of rejects. */
const maxTold = 1_000;
const maxProblems = 200;
const progressMs = 250;

/** What a person chose in the mapping form; null leaves what the batch says. */
export type ImportAnswers = Readonly<Record<'column_mapping' | 'fixes' | 'skip_invalid' | 'duplicates', string | null>>;

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
  const outcome = await inTightHeap(() => importFile(env, batch), batch.total);
  if (outcome.rejects.invalid > 0 && !batch.skipsInvalid) throw new RefusedImport(env, batch, outcome);
  await keepChoices(env.db, batch);
  await updateBatch(env.db, batchId, await doneNote(env, batch, outcome));
  await publish(env, 'import.progress', { id: batchId, done: batch.total, total: batch.total }, { userId: env.uid });
  return withCounts(batch, outcome);
}

/** The rights of an outside caller: an import opens no readonly field. */
async function importFile(env: Env, batch: ImportBatch): Promise<ImportOutcome> {
  const caller = env.outside(true);
  const model = env.registry.model(batch.model);
  const { content, pointColumns } = await readStagedFile(env.db, batch.id);
  const table = openTable(content, pointColumns);
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
  const { column_mapping: mapping, fixes, skip_invalid: skip } = answers;
  return {
    ...batch,
    mapping: mapping === null ? batch.mapping : parseMapping(mapping),
    fixes: fixes === null ? batch.fixes : parseFixes(fixes),
    skipsInvalid: skip === null ? batch.skipsInvalid : parseSkip(skip),
    asksDuplicates: parseDuplicates(answers.duplicates),
  };
}

function parseSkip(given: string): boolean {
  const skips = yesOrNo(given);
  if (skips !== null) return skips;
  throw new ValidationError({ skip_invalid: ['Must be 1 to skip bad rows, or 0.'] });
}

/** Programs that say nothing get every row of a new file as a record. */
function parseDuplicates(given: string | null): boolean {
  if (given === null || given === '' || given === 'keep') return false;
  if (given === 'ask') return true;
  throw new ValidationError({ duplicates: ['Must be "ask" to be told of duplicates, or "keep".'] });
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
  readonly outcome: ImportOutcome;

  constructor(env: Env, batch: ImportBatch, outcome: ImportOutcome) {
    const { rejects } = outcome;
    const problems = rejects.problems(env.registry.wordsIn(env.actor.lang)).slice(0, maxProblems);
    super('VALIDATION_ERROR', refusalWords(rejects.invalid, rejects.isFull), {
      ...{ model: batch.model, rows: badCells(outcome), problems },
      ...{ invalid: rejects.invalid, more: rejects.isFull },
      // The good rows were tried and taken back.
      ...{ imported: 0, updated: 0 },
    });
    this.outcome = outcome;
  }
}

function badCells({ rejects }: ImportOutcome) {
  const errors = rejects.list().flatMap((reject) => (reject.isChosen ? [] : reject.errors));
  return errors.slice(0, maxTold).map(({ row, column, message }) => ({ row, column, message }));
}

function refusalWords(count: number, isCutShort: boolean) {
  if (isCutShort) return text('{count} rows or more cannot be imported. Nothing was imported.', { count });
  if (count === 1) return text('1 row cannot be imported. Nothing was imported.');
  return text('{count} rows cannot be imported. Nothing was imported.', { count });
}

function failureNote(env: Env, error: unknown): BatchUpdate {
  const say = env.registry.wordsIn(env.actor.lang);
  if (error instanceof RefusedImport) {
    const { rows, problems } = error.translated(say).details as Pick<BatchUpdate, 'problems'> & {
      rows: readonly unknown[];
    };
    return { state: 'draft', errors: rows, problems, rejects: rejectsFile(error.outcome, say) };
  }
  const isCallers = error instanceof KontorError && error.status < 500;
  const message = error instanceof KontorError ? say(error.words) : say('Something went wrong on the server.');
  const state = isCallers ? 'draft' : 'failed';
  return { state, errors: [{ row: 0, column: '', message }], problems: [], rejects: null };
}

async function doneNote(env: Env, { model, next }: ImportBatch, outcome: ImportOutcome): Promise<BatchUpdate> {
  const say = env.registry.wordsIn(env.actor.lang);
  const { made, changed, rejects } = outcome;
  const skipped = rejects.invalid + rejects.chosen;
  return {
    ...{ state: 'done', imported: made.length, updated: changed.length, skipped },
    errors: badCells(outcome).map((error) => ({ ...error, message: say(error.message) })),
    problems: rejects.problems(say).slice(0, maxProblems),
    rejects: skipped > 0 ? rejectsFile(outcome, say) : null,
    recordsPath: await recordsPath(env, { model, next, ids: [...made, ...changed] }),
  };
}

function withCounts({ next, model }: ImportBatch, { made, changed, rejects }: ImportOutcome): string {
  const url = new URL(next ?? open(model, { view: 'list' }).redirect, 'http://kontor.invalid');
  const skipped = rejects.invalid + rejects.chosen;
  url.searchParams.set('msg', `imported_${made.length}_updated_${changed.length}_skipped_${skipped}`);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Discards a staged batch with its file. Returns where to go next. */
export async function cancelImport(env: Env, batchId: number): Promise<string> {
  const { next, model } = await lockBatch(env, batchId);
  await updateBatch(env.db, batchId, { state: 'cancelled', errors: [], problems: [], rejects: null });
  await dropStaged(env.db, batchId);
  return next ?? open(model, { view: 'list' }).redirect;
}

/** People open the file again in a spreadsheet of theirs, whatever parts its cells. */
const quoted = /[",;\t\r\n]|^\s|\s$/;

/** The rows that were not written as a CSV file of the same columns, each with its reasons in one more. What came is not shown as a formula. */
function rejectsFile({ headers, rejects }: ImportOutcome, say: Translate): string {
  const lines = [csvLine([...headers.map(guardCell), 'import_errors'], quoted)];
  for (const { rows, errors } of rejects.list()) {
    const reasons = errors.map(({ column, message }) => (column === '' ? say(message) : `${column}: ${say(message)}`));
    for (const [index, cells] of rows.entries()) {
      const own = headers.map((_, at) => guardCell(unguardCell(cells[at] ?? '')));
      lines.push(csvLine([...own, index === 0 ? guardCell(reasons.join(' ')) : ''], quoted));
    }
  }
  return byteOrderMark + lines.join('');
}
