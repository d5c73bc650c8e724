import type { Domain } from '@kontor/protocol';
import type { Env } from '../env.ts';
import type { Model } from '../model/model.ts';
import { orderTerms } from './order.ts';
import { buildRecords } from './projection/build-records.ts';
import { type Extras, fetchExtras, type Rows } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { startSelect } from './projection/select.ts';
import { writeRecords } from './projection/write-records.ts';
import type { Projection, SearchOptions, WireRecord } from './records.ts';
import { checkCount, pageStatement, visibleRows } from './statement.ts';

/** Records that the domain matches, with `id` and exactly the paths asked for. */
export async function searchRead(
  env: Env,
  model: Model,
  domain?: Domain,
  projection?: Projection,
  options: SearchOptions = {},
): Promise<WireRecord[]> {
  const { plan, rows, extras } = await fetchPage(env, model, domain, projection, options);
  return buildRecords(plan, rows, extras);
}

/** The same as JSON text. */
export async function searchReadJson(
  env: Env,
  model: Model,
  domain?: Domain,
  projection?: Projection,
  options: SearchOptions = {},
): Promise<string> {
  const { plan, rows, extras } = await fetchPage(env, model, domain, projection, options);
  return writeRecords(plan, rows, extras);
}

async function fetchPage(
  env: Env,
  model: Model,
  domain: Domain | undefined,
  projection: Projection | undefined,
  options: SearchOptions,
): Promise<{ readonly plan: Plan; readonly rows: Rows; readonly extras: Extras }> {
  const limit = checkCount(options.limit, 'limit');
  const offset = checkCount(options.offset, 'offset');
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const order = orderTerms(select, options.order);
  const orderJoins = select.joinClauses.length > 0;
  const plan = planProjection(select, projection);
  const statement = pageStatement(select, { where, order, orderJoins, limit, offset });
  const rows = limit === 0 ? [] : await env.db.arrays(statement);
  return { plan, rows, extras: await fetchExtras(env, plan, rows) };
}
