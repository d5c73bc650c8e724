import { and, type Cell, ident, join, type Sql, sql } from '@kontor/database';
import { deniedByRule } from '../access/refusals.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { leaveRowCache } from '../model/row-cache.ts';
import { settleState } from '../operation/settle-state.ts';
import type { LockedRow } from '../plan/row-change.ts';
import { notFound } from '../reading/check-records.ts';

/**
 * Locks the rows in id order and reads their current values in one statement. Throws NOT_FOUND for ids that do not
 * exist and ACCESS_DENIED for those that rules hide or protect.
 */
export async function lockRows(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
  operation: 'write' | 'unlink',
  allowed: Sql = mayChange(env, model, operation),
): Promise<Map<number, LockedRow>> {
  leaveRowCache(env, model);
  const columns = fields.map((field) => ident('r', field.column as string));
  const strength = operation === 'unlink' ? sql`for update of r` : sql`for no key update of r`;
  const cells = await env.db.arrays(sql`
    select ${join([ident('r', 'id'), allowed, ...columns])}
    from ${ident(model.table)} r where r.id = any(${ids}::int4[]) order by r.id ${strength}`);
  settleState(env).locked.add(model.name);
  return lockedRows(model, ids, fields, cells, operation);
}

/** Reads the result of a locking statement: id, whether the caller may change it, then the fields. */
export function lockedRows(
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
  cells: readonly (readonly Cell[])[],
  operation: 'write' | 'unlink',
): Map<number, LockedRow> {
  if (cells.length < ids.length) {
    const found = new Set(cells.map(([id]) => id));
    throw notFound(
      model,
      ids.filter((id) => !found.has(id)),
    );
  }
  const refused = cells.filter(([, isAllowed]) => isAllowed !== true);
  if (refused.length > 0) {
    throw deniedByRule(
      model,
      operation,
      refused.map(([id]) => id as number),
    );
  }
  return new Map(cells.map((row) => [row[0] as number, { id: row[0] as number, values: valuesOf(fields, row) }]));
}

/** A record that the caller cannot see cannot be changed either, whatever the other rules say. */
function mayChange(env: Env, model: Model, operation: 'write' | 'unlink'): Sql {
  const predicates = [rulePredicate(env, model, 'read', 'r'), rulePredicate(env, model, operation, 'r')];
  return and(predicates.filter((predicate) => predicate !== null));
}

function valuesOf(fields: readonly Field[], row: readonly Cell[]): Map<Field, unknown> {
  return new Map(fields.map((field, index) => [field, field.kind.fromCell(row[index + 2] ?? null)]));
}
