import { precompile, type Sql } from '@kontor/database';
import { type AnyDomain, lruCache } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { Projection, SearchOptions, WireRecord } from '../model/records.ts';
import { type AskedCount, askedOf, counting } from './asked.ts';
import { rowsOf } from './cached-rows.ts';
import { findRead, type KeptRead, keepRead, readKey } from './kept-reads.ts';
import { orderTerms } from './order.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import type { Plan } from './projection/plan.ts';
import { planProjection } from './projection/plan-projection.ts';
import { wireShape, writeRecords } from './projection/write-records.ts';
import { checkCount, pageStatement, startSelect, visibleRows } from './select.ts';

/** Matching records, with `id` and exactly the requested paths. */
export async function searchRead(
  env: Env,
  model: Model,
  domain?: AnyDomain,
  projection?: Projection,
  options: SearchOptions = {},
): Promise<WireRecord[]> {
  const { asked, statement, ...plan } = keptPage(env, model, domain, projection, options);
  if (options.limit === 0) return [];
  const rows = await counting(asked, rowsOf(env, statement));
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}

interface KeptPage extends Pick<Plan, 'outputs' | 'lines' | 'computed'> {
  readonly statement: Sql;
  readonly asked: AskedCount;
}

const pages = lruCache<string, KeptPage>(500);

/** All records of a small model, such as its stages, are read by the server again and again: that is planned once. */
function keptPage(
  env: Env,
  model: Model,
  domain: AnyDomain | undefined,
  projection: Projection | undefined,
  options: SearchOptions,
): KeptPage {
  const isWhole = env.isSudo && (domain === undefined || (Array.isArray(domain) && domain.length === 0));
  const key = isWhole ? `${env.registry.version} ${model.name} ${JSON.stringify([projection, options])}` : null;
  const known = key === null ? undefined : pages.get(key);
  if (known) return known;
  const { plan, statement } = planPage(env, model, domain, projection, options);
  const { outputs, lines, computed } = plan;
  const isSame = plan.select.compiler.isCacheable && lines.every(({ child }) => child?.isCacheable !== false);
  const isKept = key !== null && isSame;
  const asked = askedOf(model, domain, options.order);
  const page = { outputs, lines, computed, asked, statement: isKept ? precompile(statement) : statement };
  if (isKept) pages.set(key, page);
  return page;
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
