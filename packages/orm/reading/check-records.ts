import { and, ident, sql } from '@kontor/database';
import { invalidArgs, KontorError, text } from '@kontor/protocol';
import { deniedByRule } from '../access/refusals.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { Env, Model } from '../model/model.ts';

/** Throws unless the records exist and the rules allow the operation. Model access is checked elsewhere. */
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
    select t.id, (${isAllowed}) is true from ${ident(model.table)} t where t.id = any(${inIdRange(ids)}::int4[])`);
  const found = new Map(rows.map((row) => [row[0] as number, row[1] as boolean]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw notFound(model, missing);
  const refused = ids.filter((id) => !found.get(id));
  if (refused.length > 0) throw deniedByRule(model, operation, refused);
}

const maxId = 2_147_483_647;

/** Ids outside the column's range cannot exist; the database would reject the whole statement for them. */
export function inIdRange(ids: readonly number[]): readonly number[] {
  return ids.filter((id) => id > 0 && id <= maxId);
}

export const maxRecordsPerCall = 10_000;

/** Ids as given by a caller: each once, ascending, so that locks are always taken in the same order. */
export function checkIds(model: Model, ids: readonly number[]): number[] {
  if (!Array.isArray(ids)) throw invalidArgs('The ids must be an array.', { model: model.name });
  if (ids.length > maxRecordsPerCall) {
    throw invalidArgs(`At most ${maxRecordsPerCall} ids a call.`, { model: model.name, max: maxRecordsPerCall });
  }
  for (const id of ids) {
    if (!Number.isSafeInteger(id)) throw invalidArgs(`Not an id: ${JSON.stringify(id)}.`, { model: model.name });
  }
  const unique = [...new Set<number>(ids)].sort((a, b) => a - b);
  const impossible = unique.filter((id) => id < 1 || id > maxId);
  if (impossible.length > 0) throw notFound(model, impossible);
  return unique;
}

export function notFound(model: Model, missing: readonly number[]): KontorError {
  const which = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '');
  return new KontorError('NOT_FOUND', text('{model} {id} does not exist.', { model: model.label, id: which }), {
    model: model.name,
    missing_ids: missing,
  });
}
