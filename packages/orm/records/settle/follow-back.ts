import { ident, sql } from '@kontor/database';
import type { Env } from '../../env.ts';
import { endOf, hopsOf, joinBackward } from './relation-path.ts';

/** The records of a model from which `path` leads to one of the given records: one statement, however many. */
export async function followBack(
  env: Env,
  modelName: string,
  path: readonly string[],
  ids: readonly number[],
): Promise<readonly number[]> {
  if (path.length === 0) return ids;
  const model = env.registry.model(modelName);
  const hops = hopsOf(env.registry, model, path);
  const last = ident(`a${hops.length}`);
  const rows = await env.db.arrays(sql`
    select distinct a0.id from ${ident(endOf(model, hops).table)} ${last}${joinBackward(hops)}
    where ${last}.id = any(${ids}::int4[])`);
  return rows.map((row) => row[0] as number);
}
