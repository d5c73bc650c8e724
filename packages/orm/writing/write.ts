import { invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { type Followed, followChanges, followerColumns, followersOf } from '../drafts/editable-values.ts';
import { checkChangedLinks } from '../given/given-links.ts';
import { checkAndCast, checkAsked } from '../given/given-values.ts';
import { throwConflicts } from '../given/merge-base.ts';
import { asksPlace, movesAlong, placeSources, stateFields } from '../graph/state-fields.ts';
import { type ListPlan, planLists } from '../lists/lists.ts';
import type { Env, Field, HookSpec, Model } from '../model/model.ts';
import type { CreateOptions, RowWrite, Values, WriteOptions } from '../model/records.ts';
import { isWatching } from '../model/watching-hooks.ts';
import type { AskedRow, Casts, RowChange } from '../plan/row-change.ts';
import { checkIds, checkRecords } from '../reading/check-records.ts';
import { lockOwners } from '../rows/lock-owners.ts';
import { markListsForCompany } from '../settle/check-companies.ts';
import { inOperation } from '../settle/in-operation.ts';
import { recomputeStale } from '../settle/recompute-stale.ts';
import { checkLineLocks, checkLocks } from '../states/check-locks.ts';
import { type CalledMove, followMoves } from '../states/follow-moves.ts';
import { checkRowChanges } from './check-row-changes.ts';
import { castAsked, compareRows } from './compare-rows.ts';
import { storeChanges } from './store-changes.ts';
import { isPlain, writeAtOnce } from './write-at-once.ts';

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
  options: WriteEachOptions = {},
): Promise<true> {
  checkModelAccess(env, model, 'write');
  const ids = checkIds(
    model,
    rows.map((row) => row.id),
  );
  if (ids.length < rows.length) throw invalidArgs('An id is given twice.', { model: model.name });
  const grants = new Set(options.granted);
  const given = checkAndCast(
    env,
    model,
    rows.map((row) => row.values),
    false,
  );
  await afterRules(env, model, ids, () => checkAsked(env, model, given.asked, grants));
  if (rows.length === 0) return true;
  const cast = rows.map((row, index) => ({ ...row, values: given.values[index] as Values }));
  return inOperation<true>(env, async () => {
    await lockOwners(env, model, { ids, ...touching(cast) });
    const asked = await runBeforeWrite(env, model, cast, { ...options, grants });
    const { changes, touched } = await change(env, model, ids, asked, { grants, ...options });
    await runAfterWrite(env, model, changes, touched);
    return true;
  });
}

function touching(rows: readonly RowWrite[]) {
  const values = [...new Set(rows.map((row) => row.values))];
  return { names: new Set(values.flatMap(Object.keys)), next: ({ name }: Field) => values.map((each) => each[name]) };
}

interface Outcome {
  readonly changes: readonly RowChange[];
  readonly touched: ReadonlySet<number>;
}

async function change(
  env: Env,
  model: Model,
  ids: readonly number[],
  hooked: readonly AskedRow[],
  { grants, restores = false, called }: WriteEachOptions & { readonly grants: ReadonlySet<string> },
): Promise<Outcome> {
  const { rows: asked, casts } = castAsked(model, hooked);
  const [cast] = casts.values();
  const followers = restores ? [] : affectedEditables(env, model, casts);
  const isQuick = cast && !called && followers.length === 0 && isPlain(asked, cast);
  if (isQuick && !asksPlace(model, new Set(cast.columns.keys()))) {
    const written = await writeAtOnce(env, model, ids, asked, cast);
    if (!restores) await checkAllLocks(env, model, written.changes, []);
    if (!restores) await followMoves(env, model, written.changes);
    return written;
  }
  const compared = await compareRows(env, model, ids, asked, casts, followerColumns(model, followers));
  const plans = await planLists(restores ? env.sudo() : env, compared, 'write');
  for (const each of compared) throwConflicts(model, each.id, each.conflicts);
  const { changes, plans: more } = restores
    ? { changes: compared, plans: [] }
    : await followAll(env, model, compared, { plans, followers, called });
  await checkRowChanges(env, model, changes, { grants, restores });
  if (!restores) await checkAllLocks(env, model, compared, plans);
  if (!restores) markListsForCompany(env, model, [...plans, ...more]);
  return { changes, touched: await storeChanges(env, model, changes, [...plans, ...more]) };
}

/** Editable computes that some of the rows may affect, by the fields or the state that they set, and do not set themselves. */
function affectedEditables(env: Env, model: Model, casts: Casts): readonly Field[] {
  if (env.registry.editableComputes(model.name).length === 0) return [];
  const open = [...casts.keys()].flatMap((values) => {
    const names = Object.keys(values);
    const first = followersOf(env, model, names);
    const written = new Set([...names.flatMap((name) => model.fields.get(name) ?? []), ...first]);
    const { state, stage, set } = stateFields(model) ?? { state: null, stage: null, set: [] };
    const isPlaced = movesAlong(model, written) || (state !== null && written.has(state));
    const along = isPlaced ? [state, stage, ...set].flatMap((field) => field?.name ?? []) : [];
    return followersOf(env, model, [...names, ...along]).filter(({ name }) => values[name] === undefined);
  });
  return env.registry.editableComputes(model.name).filter((field) => open.includes(field));
}

interface Following {
  readonly plans: readonly ListPlan[];
  readonly followers: readonly Field[];
  readonly called: CalledMove | undefined;
}

/** The fields that follow from a change: first those that decide about the stage, then state and stage, then all others. */
async function followAll(
  env: Env,
  model: Model,
  compared: readonly RowChange[],
  { plans, followers, called }: Following,
): Promise<Followed> {
  const before = placeSources(env.registry, model).filter((field) => followers.includes(field));
  const early = await followChanges(env, model, compared, plans, before);
  const moved = await followMoves(env, model, early.changes, called);
  const late = await followChanges(
    env,
    model,
    moved,
    plans,
    followers.filter((field) => !before.includes(field)),
  );
  return { changes: late.changes, plans: [...early.plans, ...late.plans] };
}

/** Refuses changes of fields that are locked, in the records or in the lists that they are lines of. */
async function checkAllLocks(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  plans: readonly ListPlan[],
): Promise<void> {
  const asked = changes.map((change) => ({ change, asked: askedFields(change, plans) }));
  await checkLocks(env, model, asked);
  const touched = asked.filter((row) => row.asked.length > 0).map((row) => row.change);
  await checkLineLocks(env, model, 'write', (link) =>
    touched.flatMap(({ now, changed }) => [now.values.get(link), changed.get(link)?.new]),
  );
}

/** The fields that the caller changes. Lines of one2manys are checked when they are written. */
function askedFields({ id, changed }: RowChange, plans: readonly ListPlan[]): Field[] {
  const lists = plans.filter(
    ({ field, changes }) => field.through !== null && changes.some((each) => each.owner === id),
  );
  return [...changed.keys(), ...lists.map(({ field }) => field)];
}

/** A field that the caller may not set is named only for records that they may change; so the rules are checked before the error is thrown. */
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
  { grants, restores }: WriteEachOptions & { readonly grants: ReadonlySet<string> },
): Promise<AskedRow[]> {
  const hooks = model.hooks.filter((hook) => hook.beforeWrite && rows.some(({ values }) => watches(hook, values)));
  const ids = rows.map((row) => row.id);
  if (hooks.length > 0 && restores) await checkRecords(env, model, ids, 'write');
  else if (hooks.length > 0) await checkChangedLinks(env, model, rows, grants);
  const final = new Map<Values, Values>();
  for (const [given, own] of hooks.length > 0 ? idsByValues(rows) : []) {
    let values: Record<string, unknown> = { ...given };
    // One of them may set a field that another is about.
    for (const hook of model.hooks) {
      if (!hook.beforeWrite || !watches(hook, values)) continue;
      values = await hook.beforeWrite({ env: env.outside(false), ids: own, values });
    }
    final.set(given, values);
  }
  return rows.map((row) => ({ ...row, given: row.values, values: final.get(row.values) ?? row.values }));
}

/** Only for records that did change. */
async function runAfterWrite(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  touched: ReadonlySet<number>,
): Promise<void> {
  const hooks = model.hooks.filter((hook) => hook.afterWrite);
  if (hooks.length === 0 || touched.size === 0) return;
  const groups = idsByValues(changes.filter((change) => touched.has(change.id)));
  const due = [...groups].flatMap(([values, ids]) =>
    hooks.filter((hook) => watches(hook, values)).map((hook) => ({ hook, values, ids })),
  );
  if (due.length > 0) await recomputeStale(env);
  for (const { hook, values, ids } of due) await hook.afterWrite?.({ env: env.outside(false), ids, values });
}

function watches(hook: HookSpec, values: Values): boolean {
  return isWatching(hook, Object.keys(values));
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
