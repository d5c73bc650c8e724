import type { Cell } from '@kontor/database';
import type { AnyDomain } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { SearchOptions } from '../records.ts';
import { orderTerms } from './order.ts';
import { startSelect } from './projection/select.ts';
import { checkCount, pageStatement, visibleRows } from './statement.ts';

/** Ids of the records that the caller may read and the domain matches. */
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
  return (await env.db.arrays(statement)).map(firstCell);
}

function firstCell(row: readonly Cell[]): number {
  return row[0] as number;
}
