import { precompile, type Sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { Projection, SearchOptions, WireRecord } from '../records.ts';
import { findRead, keepRead, readKey } from './kept-reads.ts';
import { orderTerms } from './order.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { wireShape, writeRecords } from './projection/write-records.ts';
import { checkCount, pageStatement, startSelect, visibleRows } from './select.ts';

/** Records that the domain matches, with `id` and exactly the paths asked for. */
export async function searchRead(
  env: Env,
  model: Model,
  domain?: AnyDomain,
  projection?: Projection,
  options: SearchOptions = {},
): Promise<WireRecord[]> {
  const { plan, statement } = planPage(env, model, domain, projection, options);
  if (options.limit === 0) return [];
  const rows = await env.db.arrays(statement);
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}

/** The same as JSON text. */
export async function searchReadJson(
  env: Env,
  model: Model,
  domain?: AnyDomain,
  projection?: Projection,
  options: SearchOptions = {},
): Promise<string> {
  const key = readKey(env, model, ['page', domain, projection, options]);
  const known = findRead(key);
  if (known) return env.db.json(known.statement, known.shape);
  const { plan, statement } = planPage(env, model, domain, projection, options);
  if (options.limit === 0) return '[]';
  const shape = wireShape(plan);
  if (shape) {
    const planned = { statement: precompile(statement), shape };
    if (plan.select.compiler.isCacheable) keepRead(key, planned);
    return env.db.json(planned.statement, shape);
  }
  const rows = await env.db.arrays(statement);
  return writeRecords(plan, rows, await fetchExtras(env, plan, rows));
}

function planPage(
  env: Env,
  model: Model,
  domain: AnyDomain | undefined,
  projection: Projection | undefined,
  options: SearchOptions,
): { readonly plan: Plan; readonly statement: Sql } {
  const limit = checkCount(options.limit, 'limit');
  const offset = checkCount(options.offset, 'offset');
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const order = orderTerms(select, options.order);
  const orderJoins = select.joinClauses.length > 0;
  const plan = planProjection(select, projection);
  return { plan, statement: pageStatement(select, { where, order, orderJoins, limit, offset }) };
}
