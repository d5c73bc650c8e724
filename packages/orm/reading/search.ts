import { type Cell, join, type Sql, sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { SearchOptions } from '../model/records.ts';
import { askedOf, counting } from './asked.ts';
import { orderTerms } from './order.ts';
import { checkCount, pageStatement, startSelect, tableOf, visibleRows } from './select.ts';

/** Ids of matching records that the caller may read. */
export async function search(
  env: Env,
  model: Model,
  domain?: AnyDomain,
  options: SearchOptions = {},
): Promise<number[]> {
  const limit = checkCount(options.limit, 'limit');
  const offset = checkCount(options.offset, 'offset');
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const order = orderTerms(select, options.order);
  if (limit === 0) return [];
  const statement = pageStatement(select, { where, order, orderJoins: true, limit, offset });
  const rows = await counting(askedOf(model, domain, options.order), env.db.arrays(statement));
  return rows.map(firstCell);
}

function firstCell(row: readonly Cell[]): number {
  return row[0] as number;
}

/** The number of matching records that the caller may read. */
export async function count(env: Env, model: Model, domain?: AnyDomain): Promise<number> {
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const counted = env.db.arrays(sql`select count(*) from ${tableOf(select)} where ${where}`);
  const [row] = await counting(askedOf(model, domain, null), counted);
  return Number(row?.[0]);
}

export interface CountAsked {
  readonly model: Model;
  readonly domain: AnyDomain;
}

/** Several counts in one statement. Each stops at `most`. */
export async function countEach(env: Env, asked: readonly CountAsked[], most: number): Promise<readonly number[]> {
  if (asked.length === 0) return [];
  const [row] = await env.db.arrays(sql`select ${join(asked.map((one) => countSql(env, one, most)))}`);
  return (row ?? []).map(Number);
}

function countSql(env: Env, { model, domain }: CountAsked, most: number): Sql {
  const select = startSelect(env, model);
  const rows = sql`select from ${tableOf(select)} where ${visibleRows(select, domain)} limit ${most}`;
  return sql`(select count(*) from (${rows}) counted)`;
}
