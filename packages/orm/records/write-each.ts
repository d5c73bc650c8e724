import { invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';
import { checkIds } from './check-ids.ts';
import { checkRecords } from './check-records.ts';
import { checkRowChanges } from './check-row-changes.ts';
import { type AskedRow, type Casts, castAsked, compareRows, type RowChange } from './compare-rows.ts';
import { followChanges, followerColumns, followersOf } from './editable-values.ts';
import { checkChangedLinks } from './given-links.ts';
import { checkAsked, takeGiven } from './given-values.ts';
import { planLists } from './lists.ts';
import { throwConflicts } from './merge-base.ts';
import { checkMoves } from './moves/check-moves.ts';
import type { CreateOptions, RowWrite, Values } from './records.ts';
import { inOperation } from './settle/in-operation.ts';
import { recomputeStale } from './settle/recompute-stale.ts';
import { storeChanges } from './store-changes.ts';
import { isPlain, writeAtOnce } from './write-at-once.ts';

/** Each record gets values of its own: one statement locks and reads, one updates, however many records and values. */
export async function writeEach(
  env: Env,
  model: Model,
  rows: readonly RowWrite[],
  { granted, restores = false }: CreateOptions = {},
): Promise<true> {
  checkModelAccess(env, model, 'write');
  const ids = checkIds(
    model,
    rows.map((row) => row.id),
  );
  if (ids.length < rows.length) throw invalidArgs('An id is given twice.', { model: model.name });
  const grants = new Set(granted);
  const given = takeGiven(
    env,
    model,
    rows.map((row) => row.values),
    false,
  );
  await afterRules(env, model, ids, () => checkAsked(env, model, given.asked, grants));
  if (rows.length === 0) return true;
  const cast = rows.map((row, index) => ({ ...row, values: given.values[index] as Values }));
  return inOperation<true>(env, async () => {
    const asked = await runBeforeWrite(env, model, cast, grants);
    const { changes, touched } = await change(env, model, ids, asked, { grants, restores });
    await checkMoves(env, model, changes);
    await runAfterWrite(env, model, changes, touched);
    return true;
  });
}

interface Outcome {
  readonly changes: readonly RowChange[];
  readonly touched: ReadonlySet<number>;
}

async function change(
  env: Env,
  model: Model,
  ids: readonly number[],
  asked: readonly AskedRow[],
  { grants, restores }: { readonly grants: ReadonlySet<string>; readonly restores: boolean },
): Promise<Outcome> {
  const casts = castAsked(model, asked);
  const [cast] = casts.values();
  const followers = restores ? [] : openFollowers(env, model, casts);
  if (cast && followers.length === 0 && isPlain(asked, cast)) return writeAtOnce(env, model, ids, asked, cast);
  const compared = await compareRows(env, model, ids, asked, casts, followerColumns(model, followers));
  const plans = await planLists(env, compared, 'write');
  for (const each of compared) throwConflicts(model, each.id, each.conflicts);
  const { changes, plans: more } = await followChanges(env, model, compared, plans, followers);
  await checkRowChanges(env, model, changes, grants);
  return { changes, touched: await storeChanges(env, model, changes, [...plans, ...more]) };
}

/** Editable computes that some of the rows may set off and do not set themselves. */
function openFollowers(env: Env, model: Model, casts: Casts): readonly Field[] {
  if (env.registry.editableComputes(model.name).length === 0) return [];
  const open = [...casts.keys()].flatMap((values) =>
    followersOf(env, model, Object.keys(values)).filter(({ name }) => values[name] === undefined),
  );
  return env.registry.editableComputes(model.name).filter((field) => open.includes(field));
}

/** What a caller may not set is told only of records that they may change. The statement that writes asks for the rules by itself. */
async function afterRules(env: Env, model: Model, ids: readonly number[], check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await checkRecords(env, model, ids, 'write');
    throw error;
  }
}

async function runBeforeWrite(
  env: Env,
  model: Model,
  rows: readonly RowWrite[],
  granted: ReadonlySet<string>,
): Promise<AskedRow[]> {
  const hooks = model.hooks.flatMap((hook) => hook.beforeWrite ?? []);
  if (hooks.length > 0) await checkChangedLinks(env, model, rows, granted);
  const final = new Map<Values, Values>();
  for (const [given, ids] of hooks.length > 0 ? idsByValues(rows) : []) {
    let values: Record<string, unknown> = { ...given };
    for (const hook of hooks) values = await hook({ env: env.outside(false), ids, values });
    final.set(given, values);
  }
  return rows.map((row) => ({ ...row, given: row.values, values: final.get(row.values) ?? row.values }));
}

/** Hooks hear only of records that did change. */
async function runAfterWrite(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  touched: ReadonlySet<number>,
): Promise<void> {
  const hooks = model.hooks.flatMap((hook) => hook.afterWrite ?? []);
  if (hooks.length === 0 || touched.size === 0) return;
  await recomputeStale(env);
  const groups = idsByValues(changes.filter((change) => touched.has(change.id)));
  for (const [values, ids] of groups) {
    for (const hook of hooks) await hook({ env: env.outside(false), ids, values });
  }
}

function idsByValues(rows: readonly { readonly id: number; readonly values: Values }[]): Map<Values, number[]> {
  const groups = new Map<Values, number[]>();
  for (const row of rows) {
    const ids = groups.get(row.values);
    if (ids) ids.push(row.id);
    else groups.set(row.values, [row.id]);
  }
  return groups;
}
