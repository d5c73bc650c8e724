import { type Cell, ident, join, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { type HeldRecord, settleState } from '../settle/settle-state.ts';
import { companyField } from '../writing/record-change.ts';

/**
 * Locks records in id order and reads their stored computes. Two people who add lines to one order both come through
 * here, so the second one's recompute starts after the first has committed and counts both lines. What this operation
 * made or locked before is not asked for again; records that are gone are left out.
 */
export async function holdRecords(
  env: Env,
  model: Model,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, HeldRecord>> {
  const state = settleState(env);
  const fields = env.registry.storedComputes(model.name);
  const known = state.held.get(model.name) ?? new Map<number, HeldRecord>();
  state.held.set(model.name, known);
  const created = state.created.get(model.name);
  const others: number[] = [];
  for (const id of ids) {
    if (known.has(id)) continue;
    if (created?.has(id)) known.set(id, newRecord(fields));
    else others.push(id);
  }
  if (others.length > 0) await lock(env, model, others, fields, known);
  const held = new Map<number, HeldRecord>();
  for (const id of ids) {
    const record = known.get(id);
    if (record) held.set(id, record);
  }
  return held;
}

async function lock(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
  known: Map<number, HeldRecord>,
): Promise<void> {
  const company = companyField(model)?.column;
  const columns = [
    sql`id`,
    company ? ident(company) : sql`null`,
    ...fields.map((field) => ident(field.column as string)),
  ];
  const rows = await env.db.arrays(sql`
    select ${join(columns)} from ${ident(model.table)}
    where id = any(${ids}::int4[]) order by id for no key update`);
  for (const [id, companyId, ...cells] of rows) {
    const values = new Map(fields.map((field, i) => [field, field.kind.fromCell(cells[i] as Cell)]));
    known.set(id as number, { values, companyId: companyId as number | null });
  }
}

function newRecord(fields: readonly Field[]): HeldRecord {
  return { values: new Map(fields.map((field) => [field, field.kind.fromCell(null)])), companyId: null };
}
