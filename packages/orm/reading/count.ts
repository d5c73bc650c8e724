import { sql } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { startSelect } from './projection/select.ts';
import { tableOf, visibleRows } from './statement.ts';

/** How many records the caller may read and the domain matches. */
export async function count(env: Env, model: Model, domain?: AnyDomain): Promise<number> {
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const [row] = await env.db.arrays(sql`select count(*) from ${tableOf(select)} where ${where}`);
  return Number(row?.[0]);
}
