import { invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { checkAndCast, checkAsked } from '../given/given-values.ts';
import type { Env, Model } from '../model/model.ts';
import type { CreateOptions, RowWrite, Values, WriteOptions } from '../model/records.ts';
import type { CalledMove } from '../plan/row-change.ts';
import { checkIds, checkRecords } from '../reading/check-records.ts';
import { inOperation } from '../settle/in-operation.ts';
import { concerns } from './concerns.ts';
import { runPlan } from './run-plan.ts';

/** The same values for all the records. With `base`, changes of others in the meantime are merged, or refused as CONFLICT. */
export async function write(
  env: Env,
  model: Model,
  ids: readonly number[],
  values: Values,
  { base, ...options }: WriteOptions = {},
): Promise<true> {
  checkModelAccess(env, model, 'write');
  const unique = checkIds(model, ids);
  if (base !== undefined && unique.length !== 1) {
    throw invalidArgs('A write with base takes one id.', { model: model.name });
  }
  // Names and models are asked for also where there is nothing to write.
  if (unique.length === 0)
    checkAsked(env, model, checkAndCast(env, model, [values], false).asked, new Set(options.granted));
  const rows = unique.map((id) => (base === undefined ? { id, values } : { id, values, base }));
  return writeEach(env, model, rows, options);
}

interface WriteEachOptions extends CreateOptions {
  /** The move that was called; without it, a move between the two states is searched. */
  readonly called?: CalledMove;
}

/** Different values for each record: one statement locks and reads, one updates, for any number of records. */
export async function writeEach(
  env: Env,
  model: Model,
  rows: readonly RowWrite[],
  { granted: grants, restores = false, called }: WriteEachOptions = {},
): Promise<true> {
  checkModelAccess(env, model, 'write');
  const ids = checkIds(
    model,
    rows.map((row) => row.id),
  );
  if (ids.length < rows.length) throw invalidArgs('An id is given twice.', { model: model.name });
  const granted = new Set(grants);
  const given = checkAndCast(
    env,
    model,
    rows.map((row) => row.values),
    false,
  );
  await afterRules(env, model, ids, () => checkAsked(env, model, given.asked, granted));
  if (rows.length === 0) return true;
  const asked = rows.map((row, index) => {
    const values = given.values[index] as Values;
    return { ...row, given: values, values };
  });
  const purpose = restores ? 'restore' : 'call';
  return inOperation<true>(env, async () => {
    await runPlan(concerns, { env, model, ids, purpose, granted, called, rows: asked, ...nothingYet });
    return true;
  });
}

const nothingYet = {
  ...{ casts: new Map(), asked: [], changes: [], lists: [], linked: new Map(), updated: [] },
  ...{ touched: new Set<number>(), changed: new Set<string>(), doubtful: [] },
} as const;

/** A field that the caller may not set is named only for records that they may change; so the rules are checked before the error is thrown. */
async function afterRules(env: Env, model: Model, ids: readonly number[], check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await checkRecords(env, model, ids, 'write');
    throw error;
  }
}
