import { join, type Sql, sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { startSelect } from './projection/select.ts';
import { tableOf, visibleRows } from './statement.ts';

export interface CountAsked {
  readonly model: Model;
  readonly domain: AnyDomain;
}

/** Several counts in one statement, each as `count` would give it, but none goes on counting past `most`. */
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
