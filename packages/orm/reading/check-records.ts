import { and, ident, sql } from '@kontor/database';
import { accessDenied } from '@kontor/protocol';
import { rulePredicate } from '../access/rule-predicate.ts';
import type { Env, Model } from '../model/model.ts';
import { notFound } from './check-ids.ts';

/** Whether records are there and the rules let the caller see them and do this; model access is asked for elsewhere. */
export async function checkRecords(
  env: Env,
  model: Model,
  ids: readonly number[],
  operation: 'read' | 'write' | 'unlink',
): Promise<void> {
  if (ids.length === 0) return;
  const predicates = [...new Set(['read', operation] as const)].map((each) => rulePredicate(env, model, each, 't'));
  const isAllowed = and(predicates.filter((predicate) => predicate !== null));
  const rows = await env.db.arrays(sql`
    select t.id, (${isAllowed}) is true from ${ident(model.table)} t where t.id = any(${ids}::int4[])`);
  const found = new Map(rows.map((row) => [row[0] as number, row[1] as boolean]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw notFound(model, missing);
  const refused = ids.filter((id) => !found.get(id));
  if (refused.length > 0) throw accessDenied(model.name, operation, 'rule', { ids: refused });
}
