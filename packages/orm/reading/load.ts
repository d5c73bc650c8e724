import { checkModelAccess } from '../access/model-access.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Model } from '../model/model.ts';
import type { LoadOptions } from '../records.ts';
import { fetchByIds } from './fetch-by-ids.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import { planLoad } from './projection/plan-load.ts';
import { startSelect } from './projection/select.ts';

/** Records for server code with the given paths nested: many2ones are records or null, x2many arrays of records. */
export async function load(
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedRecord[]> {
  checkModelAccess(env, model, 'read');
  const plan = planLoad(startSelect(env, model), paths);
  const rows = await fetchByIds(plan.select, ids, options);
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}
