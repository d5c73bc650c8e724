import { sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { applyDefaults, drawNumbers } from '../defaults/apply-defaults.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import { ruleReads } from '../domain/rule-reads.ts';
import { fillNew } from '../drafts/editable-values.ts';
import { castRows, storedValues } from '../given/cast-values.ts';
import { checkLinks, type Link, linkConditions } from '../given/check-links.ts';
import { checkNewLinks } from '../given/given-links.ts';
import { checkAndCast, checkAsked } from '../given/given-values.ts';
import { placeSources } from '../graph/state-fields.ts';
import { applyMany2manys, applyOne2manys, planLists } from '../lists/lists.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { CreateOptions, Values } from '../model/records.ts';
import { markNew, markRules } from '../operation/mark-for-checks.ts';
import { companyBound, companyField, recordCreation } from '../operation/record-change.ts';
import { rememberState } from '../operation/states-before.ts';
import type { CastRow, ListPlan } from '../plan/row-change.ts';
import { maxRecordsPerCall } from '../reading/check-records.ts';
import { insertRows, stamp } from '../rows/rows.ts';
import { markForCompany, markListsForCompany } from '../settle/check-companies.ts';
import { inOperation } from '../settle/in-operation.ts';
import { markStale } from '../settle/mark-stale.ts';
import { recomputeStale } from '../settle/recompute-stale.ts';
import { beginNew, type LaterStage } from '../states/begin.ts';
import { checkLineLocks } from '../states/check-locks.ts';

/** A new record: its values as the caller gave them, and as hooks and defaults left them. */
interface NewRow {
  readonly given: Values;
  readonly values: Values;
  readonly cast: CastRow;
}

/** New records with their lines: one INSERT for all of them, one for all their lines. Ids in the order of the values. */
export async function createMany(
  env: Env,
  model: Model,
  rows: readonly Values[],
  { granted, restores = false }: CreateOptions = {},
): Promise<number[]> {
  checkModelAccess(env, model, 'create');
  checkRows(model, rows);
  const grants = new Set(granted);
  const given = checkAndCast(env, model, rows, true);
  checkAsked(env, model, given.asked, grants);
  if (rows.length === 0) return [];
  return inOperation(env, async () => {
    const { rows: fresh, later } = await prepare(env, model, given.values, { grants, restores });
    const ids = await insert(env, model, fresh, { grants, restores });
    if (model.states) for (const id of ids) rememberState(env, model, id, null);
    if (!restores)
      await checkLineLocks(env, model, 'create', (link) => fresh.map(({ cast }) => cast.columns.get(link)));
    const plans = await finish(restores ? env.sudo() : env, model, ids, fresh);
    if (!restores) markNewForCompany(env, model, ids, fresh, plans);
    const hooks = model.hooks.flatMap((hook) => hook.afterCreate ?? []);
    if (hooks.length > 0) {
      await recomputeStale(env);
      const stored = fresh.map(({ values, cast }) => storedValues(values, cast));
      for (const hook of hooks) await hook({ env: env.outside(false), ids, values: stored });
    }
    await moveToStages(env, model, ids, later);
    return ids;
  });
}

function checkRows(model: Model, rows: readonly Values[]): void {
  if (!Array.isArray(rows)) throw invalidArgs('The values must be an array of objects.', { model: model.name });
  if (rows.length > maxRecordsPerCall) {
    throw invalidArgs(`At most ${maxRecordsPerCall} records a call.`, { model: model.name, max: maxRecordsPerCall });
  }
}

async function prepare(
  env: Env,
  model: Model,
  given: readonly Values[],
  { grants, restores }: { readonly grants: ReadonlySet<string>; readonly restores: boolean },
): Promise<{ rows: NewRow[]; later: readonly LaterStage[] }> {
  const hooks = model.hooks.flatMap((hook) => hook.beforeCreate ?? []);
  // Hooks and computes must not see records that are missing or hidden. Records that an undo restores may point at each other.
  const isRead = hooks.length > 0 || env.registry.editableComputes(model.name).length > 0;
  if (isRead && !restores) await checkNewLinks(env, model, given, grants);
  const inside = env.outside(false);
  // Hooks may write into what they get.
  let rows: readonly Readonly<Record<string, unknown>>[] =
    hooks.length === 0 ? given : given.map((values) => ({ ...values }));
  for (const hook of hooks) rows = await hook({ env: inside, values: rows });
  if (rows.length !== given.length) {
    throw new Error(`${model.name}: a beforeCreate hook made ${rows.length} records of ${given.length}.`);
  }
  const complete = await applyDefaults(env, model, rows);
  const filled = complete.map((values, index) => ({ given: given[index] as Values, values }));
  // First the fields that decide about the stage, then the stage, then the fields that depend on it.
  if (!restores) await fillNew(env, model, complete, placeSources(env.registry, model));
  const later = restores ? [] : await beginNew(env, model, filled, grants);
  if (!restores) await fillNew(env, model, complete, env.registry.editableComputes(model.name));
  await drawNumbers(env, model, complete);
  const cast = castRows(model, filled, true);
  return { rows: filled.map(({ given, values }, index) => ({ given, values, cast: cast[index] as CastRow })), later };
}

/** New records that were given a stage of another state go there by the move that leads to it. */
async function moveToStages(
  env: Env,
  model: Model,
  ids: readonly number[],
  later: readonly LaterStage[],
): Promise<void> {
  const stage = model.states?.stages?.field;
  if (stage === undefined || later.length === 0) return;
  const rows = later.map(({ index, stage: id }) => ({ id: ids[index] as number, values: { [stage]: id } }));
  await env
    .outside(false)
    .model(model.name)
    .writeEach(rows, { granted: [stage] });
}

function linksOf(model: Model, { given, values, cast }: NewRow, row: number, granted: ReadonlySet<string>): Link[] {
  const company = companyField(model);
  // A computed one is not known yet: the links are compared with it when the operation ends.
  const isKnown = company !== null && company.compute === null;
  const companyId = isKnown ? ((cast.columns.get(company) as number | null | undefined) ?? null) : undefined;
  const links: Link[] = [];
  cast.columns.forEach((target, field) => {
    if (!field.kind.isToOne || target === null) return;
    const isGiven = given[field.name] !== undefined && given[field.name] === values[field.name];
    const isChosen = isGiven && !granted.has(field.name);
    links.push({ field, id: target as number, isChosen, mustFit: isGiven, companyId, row });
  });
  return links;
}

/**
 * The INSERT also checks the caller's rules and, for one row, whether the links are allowed. Further statements follow only
 * where the answer is no, or not final.
 */
async function insert(
  env: Env,
  model: Model,
  rows: readonly NewRow[],
  { grants, restores }: { readonly grants: ReadonlySet<string>; readonly restores: boolean },
): Promise<number[]> {
  // An undo restores links without asking what may be chosen now.
  const links = restores ? [] : rows.flatMap((row, index) => linksOf(model, row, index, grants));
  const check = { model, rows: rows.length };
  const conditions = rows.length === 1 ? linkConditions(env, links) : [];
  if (rows.length > 1) await checkLinks(env, links, check);
  const cells = cellsOf(env, model, rows);
  const verdict = rulePredicate(env, model, 'create', 'r') ?? sql`true`;
  let inserted = await insertRows(env, model, { ...cells, verdict, conditions });
  if (inserted.length === 0) {
    await checkLinks(env, links, check);
    inserted = await insertRows(env, model, { ...cells, verdict, conditions: [] });
  }
  const isFinal = ruleReads(env, model, 'create')?.isFinal !== false;
  const doubtful = inserted.filter((row) => !isFinal || !row.verdict).map((row) => row.id);
  markRules(env, model, doubtful, 'create');
  return inserted.map((row) => row.id);
}

/** Who made them and when is the same for all, unless records come back as they were. */
function cellsOf(env: Env, model: Model, rows: readonly NewRow[]) {
  const fields = new Set<Field>();
  for (const { cast } of rows) for (const field of cast.columns.keys()) fields.add(field);
  const stamps = stamp(env, model, ['create_date', 'create_uid', 'write_date', 'write_uid']);
  const given = [...stamps].filter(([field]) => fields.has(field));
  for (const [field] of given) stamps.delete(field);
  const columns = rows.map(({ cast }) => (given.length === 0 ? cast.columns : new Map([...given, ...cast.columns])));
  return { fields: [...fields], rows: columns, shared: stamps };
}

async function finish(
  env: Env,
  model: Model,
  ids: readonly number[],
  rows: readonly NewRow[],
): Promise<readonly ListPlan[]> {
  const hasLists = rows.some(({ cast }) => cast.lists.size > 0);
  const listed = hasLists
    ? rows.map((row, index) => ({ ...row, id: ids[index] as number, base: null, conflicts: {} }))
    : [];
  const plans = await planLists(env, listed, 'create');
  const lists = await applyMany2manys(plans);
  const company = companyField(model);
  for (const [index, { cast }] of rows.entries()) {
    const id = ids[index] as number;
    recordCreation(env, model, { id, columns: cast.columns, lists: lists.get(id), company });
  }
  await applyOne2manys(plans);
  const relations = relationsOf(rows, plans);
  await markStale(env, model, ids, relations, { isMade: true, isNew: true });
  markNew(env, model, ids, relations);
  return plans;
}

function markNewForCompany(
  env: Env,
  model: Model,
  ids: readonly number[],
  rows: readonly NewRow[],
  plans: readonly ListPlan[],
): void {
  const bound = companyField(model)?.compute ? companyBound(model) : [];
  const isLinked = (row: NewRow | undefined) => bound.some((field) => typeof row?.cast.columns.get(field) === 'number');
  markForCompany(
    env,
    model,
    ids.filter((_, index) => isLinked(rows[index])),
  );
  markListsForCompany(env, model, plans);
}

/** Nothing points at a new record yet: only computes of the records that it points at, or is linked with, may change. */
function relationsOf(rows: readonly NewRow[], plans: readonly ListPlan[]): Set<string> {
  const names = new Set(plans.map((plan) => plan.field.name));
  const add = (value: unknown, field: Field): void => {
    if (field.kind.isToOne && value !== null) names.add(field.name);
  };
  for (const { cast } of rows) cast.columns.forEach(add);
  return names;
}
