import { precompile, type Sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { Projection, SearchOptions, WireRecord } from '../model/records.ts';
import { askedOf, counting } from './asked.ts';
import { findRead, type KeptRead, keepRead, readKey } from './kept-reads.ts';
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
  const rows = await counting(askedOf(model, domain, options.order), env.db.arrays(statement));
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
  if (known) return askJson(env, known);
  const { plan, statement } = planPage(env, model, domain, projection, options);
  if (options.limit === 0) return '[]';
  const shape = wireShape(plan);
  if (shape) {
    const planned = { statement: precompile(statement), shape, asked: askedOf(model, domain, options.order) };
    if (plan.select.compiler.isCacheable) keepRead(key, planned);
    return askJson(env, planned);
  }
  const rows = await counting(askedOf(model, domain, options.order), env.db.arrays(statement));
  return writeRecords(plan, rows, await fetchExtras(env, plan, rows));
}

function askJson(env: Env, { statement, shape, asked }: KeptRead): Promise<string> {
  const text = env.db.json(statement, shape);
  return asked ? counting(asked, text) : text;
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
