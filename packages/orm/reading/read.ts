import { checkModelAccess } from '../access/model-access.ts';
import type { Env, Model } from '../model/model.ts';
import type { Projection, WireRecord } from '../model/records.ts';
import { fetchByIds, fetchJsonById, statementById } from './fetch-by-ids.ts';
import { findRead, keepRead, readKey } from './kept-reads.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { wireShape, writeRecords } from './projection/write-records.ts';
import { startSelect } from './select.ts';

/** Records in the order of the ids; NOT_FOUND names those that do not exist, ACCESS_DENIED those hidden by a rule. */
export async function read(
  env: Env,
  model: Model,
  ids: readonly number[],
  projection?: Projection,
): Promise<WireRecord[]> {
  const plan = planRead(env, model, projection);
  const rows = await fetchByIds(plan.select, ids);
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}

/** The same as JSON text. */
export async function readJson(
  env: Env,
  model: Model,
  ids: readonly number[],
  projection?: Projection,
): Promise<string> {
  const [first] = ids;
  const key = ids.length === 1 ? readKey(env, model, ['read', projection]) : null;
  const known = findRead(key);
  if (known) return fetchJsonById(env, model, first as number, known);
  const plan = planRead(env, model, projection);
  const shape = ids.length === 1 ? wireShape(plan) : null;
  if (shape) {
    const planned = { statement: statementById(plan.select), shape };
    if (plan.select.compiler.isCacheable) keepRead(key, planned);
    return fetchJsonById(env, model, first as number, planned);
  }
  const rows = await fetchByIds(plan.select, ids);
  return writeRecords(plan, rows, await fetchExtras(env, plan, rows));
}

function planRead(env: Env, model: Model, projection: Projection | undefined): Plan {
  checkModelAccess(env, model, 'read');
  return planProjection(startSelect(env, model), projection);
}
