import { checkModelAccess } from '../access/model-access.ts';
import type { Env } from '../env.ts';
import type { Model } from '../model/model.ts';
import { fetchByIds } from './fetch-by-ids.ts';
import { buildRecords } from './projection/build-records.ts';
import { type Extras, fetchExtras, type Rows } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { startSelect } from './projection/select.ts';
import { writeRecords } from './projection/write-records.ts';
import type { Projection, WireRecord } from './records.ts';

/** Records in the order of the ids; NOT_FOUND names those that do not exist, ACCESS_DENIED those that a rule hides. */
export async function read(
  env: Env,
  model: Model,
  ids: readonly number[],
  projection?: Projection,
): Promise<WireRecord[]> {
  const { plan, rows, extras } = await fetch(env, model, ids, projection);
  return buildRecords(plan, rows, extras);
}

/** The same as JSON text. */
export async function readJson(
  env: Env,
  model: Model,
  ids: readonly number[],
  projection?: Projection,
): Promise<string> {
  const { plan, rows, extras } = await fetch(env, model, ids, projection);
  return writeRecords(plan, rows, extras);
}

async function fetch(
  env: Env,
  model: Model,
  ids: readonly number[],
  projection: Projection | undefined,
): Promise<{ readonly plan: Plan; readonly rows: Rows; readonly extras: Extras }> {
  checkModelAccess(env, model, 'read');
  const plan = planProjection(startSelect(env, model), projection);
  const rows = await fetchByIds(plan.select, ids);
  return { plan, rows, extras: await fetchExtras(env, plan, rows) };
}
