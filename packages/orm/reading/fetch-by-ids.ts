import { type Cell, empty, fillSlots, ident, precompile, type Sql, slot, sql } from '@kontor/database';
import { invalidArgs, type KontorError } from '@kontor/protocol';
import { deniedByRule } from '../access/refusals.ts';
import type { Env, Model } from '../model/model.ts';
import { rowsOf } from './cached-rows.ts';
import { inIdRange, notFound } from './check-records.ts';
import type { KeptRead } from './kept-reads.ts';
import { type Select, selectFrom, tableOf } from './select.ts';

/** Rows in the order of the ids; a repeated id has two rows. */
export function fetchByIds(select: Select, ids: readonly number[]): Promise<readonly (readonly Cell[])[]> {
  return fetchPlanned(select.env, select.model, { statement: statementById(select), ids });
}

interface Asked {
  /** With a slot for the ids. */
  readonly statement: Sql;
  readonly ids: readonly number[];
  readonly missing?: 'throw' | 'skip';
}

/** The same with a cached statement. */
export async function fetchPlanned(
  env: Env,
  model: Model,
  { statement, ids, missing }: Asked,
): Promise<readonly (readonly Cell[])[]> {
  checkIds(ids);
  if (ids.length === 0) return [];
  const answer = await rowsOf(env, fillSlots(statement, inIdRange(ids)));
  const found = new Map(answer.map((row) => [row[0] as number, row]));
  const rows: (readonly Cell[])[] = [];
  const absent: number[] = [];
  for (const id of ids) {
    const row = found.get(id);
    if (row) rows.push(row);
    else absent.push(id);
  }
  if (absent.length > 0 && missing !== 'skip') throw await absenceError(env, model, [...new Set(absent)]);
  return rows;
}

/** An array with one record as JSON text; the statement has a slot for the id. */
export async function fetchJsonById(env: Env, model: Model, id: number, read: KeptRead): Promise<string> {
  checkIds([id]);
  const text = await env.db.json(fillSlots(read.statement, inIdRange([id])), read.shape);
  if (text === '[]') throw await absenceError(env, model, [id]);
  return text;
}

const givenIds = slot((ids: readonly number[]) => ids);

export function statementById(select: Select): Sql {
  return precompile(visibleStatement(select));
}

function checkIds(ids: unknown): asserts ids is readonly number[] {
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(id))) {
    throw invalidArgs('Ids are whole numbers in an array.', { field: 'ids' });
  }
}

function visibleStatement(select: Select): Sql {
  const rule = select.compiler.rules(select.model, 'read', select.alias);
  const where = sql` where ${ident(select.alias, 'id')} = any(${givenIds}::int4[])${rule ? sql` and ${rule}` : empty}`;
  return selectFrom(select, tableOf(select), where);
}

/**
 * NOT_FOUND for records that do not exist, ACCESS_DENIED for hidden ones. The extra statement runs only if a read
 * fails.
 */
async function absenceError(env: Env, model: Model, absent: readonly number[]): Promise<KontorError> {
  const rows = await env.db.arrays(
    sql`select t.id from ${ident(model.table)} t where t.id = any(${inIdRange(absent)}::int4[])`,
  );
  const hidden = new Set(rows.map((row) => row[0] as number));
  const missing = absent.filter((id) => !hidden.has(id));
  if (missing.length > 0) return notFound(model, missing);
  return deniedByRule(model, 'read', absent);
}
