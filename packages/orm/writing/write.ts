import { invalidArgs } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { CreateOptions, RowWrite, Values, WriteOptions } from '../model/records.ts';
import type { AskedRow, CalledMove, LockedRow } from '../plan/row-change.ts';
import { startRun } from '../plan/write-run.ts';
import { inOperation } from '../settle/in-operation.ts';
import { concerns } from './concerns.ts';
import { runPlan } from './run-plan.ts';

interface Asked {
  /** As given by the caller. */
  readonly ids: readonly number[];
  readonly given: readonly Values[];
  readonly rows: readonly AskedRow[];
}

/**
 * The same values for all the records. With `base`, changes by others in the meantime are merged, or rejected as
 * CONFLICT.
 */
export async function write(
  env: Env,
  model: Model,
  ids: readonly number[],
  values: Values,
  { base, ...options }: WriteOptions = {},
): Promise<true> {
  const rows = rowsOf(ids, values);
  if (base !== undefined && rows.length !== 1) {
    throw invalidArgs('A write with base takes one id.', { model: model.name });
  }
  const based = base === undefined ? rows : rows.map((row) => ({ ...row, base }));
  return run(env, model, { ids, given: [values], rows: based }, options);
}

/** One row for each id. An invalid list of ids is rejected by a step. */
export function rowsOf(ids: readonly number[], values: Values): AskedRow[] {
  const unique = Array.isArray(ids) ? [...new Set<number>(ids)].sort((a, b) => a - b) : [];
  return unique.map((id) => ({ id, given: values, values }));
}

interface WriteEachOptions extends CreateOptions {
  /** The move that was called; without it, a move between the two states is searched. */
  readonly called?: CalledMove;
  readonly locked?: ReadonlyMap<number, LockedRow> | null;
}

/** Different values for each record: one statement locks and reads, one updates, for any number of records. */
export async function writeEach(
  env: Env,
  model: Model,
  rows: readonly RowWrite[],
  options: WriteEachOptions = {},
): Promise<true> {
  const ids = rows.map((row) => row.id);
  if (new Set(ids).size < ids.length) throw invalidArgs('An id is given twice.', { model: model.name });
  const given = rows.map((row) => row.values);
  return run(env, model, { ids, given, rows: rows.map((row) => ({ ...row, given: row.values })) }, options);
}

async function run(
  env: Env,
  model: Model,
  asked: Asked,
  { granted, restores, called, locked = null }: WriteEachOptions,
): Promise<true> {
  const options = { purpose: restores ? 'restore' : 'call', granted: new Set(granted), called, locked } as const;
  return inOperation<true>(env, async () => {
    await runPlan(concerns, startRun({ env, model, operation: 'write', ...asked, ...options }));
    return true;
  });
}
