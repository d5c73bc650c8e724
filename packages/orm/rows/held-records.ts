import { type Cell, ident, join, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { leaveRowCache, noteCachedChange } from '../model/row-cache.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { companyAfter, companyField, recordChange } from '../operation/record-change.ts';
import { type HeldRecord, settleState } from '../operation/settle-state.ts';
import { rememberState } from '../operation/states-before.ts';
import type { RowChange } from '../plan/row-change.ts';
import { stamp, updateRows } from './rows.ts';

/**
 * Locks records in id order and reads their stored computes. If two users add lines to one order, both come through
 * here, so the second one's recompute starts after the first has committed and counts both lines. Records that this
 * operation created or locked before are not read again; deleted records are left out.
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
  if (others.length > 0) await lock(env, model, sql`any(${others}::int4[])`, known);
  const held = new Map<number, HeldRecord>();
  for (const id of ids) {
    const record = known.get(id);
    if (record) held.set(id, record);
  }
  return held;
}

/**
 * The same for the records whose ids a query returns. Their states are stored as well, for checks whether their lines
 * are locked.
 */
export async function holdFound(env: Env, model: Model, ids: Sql): Promise<void> {
  const { held } = settleState(env);
  const known = held.get(model.name) ?? new Map<number, HeldRecord>();
  held.set(model.name, known);
  await lock(env, model, sql`any(array(${ids}))`, known);
}

async function lock(env: Env, model: Model, among: Sql, known: Map<number, HeldRecord>): Promise<void> {
  leaveRowCache(env, model);
  const fields = env.registry.storedComputes(model.name);
  const company = companyField(model)?.column;
  const columns = [
    sql`id`,
    company ? ident(company) : sql`null`,
    model.states ? ident(model.states.field) : sql`null`,
    ...fields.map((field) => ident(field.column as string)),
  ];
  const rows = await env.db.arrays(sql`
    select ${join(columns)} from ${ident(model.table)}
    where id = ${among} order by id for no key update`);
  for (const [id, companyId, state, ...cells] of rows) {
    if (known.has(id as number)) continue;
    if (model.states) rememberState(env, model, id as number, state as string | null);
    const values = new Map(fields.map((field, i) => [field, field.kind.fromCell(cells[i] as Cell)]));
    known.set(id as number, { values, companyId: companyId as number | null });
  }
}

/** Stores a record whose stored computes were read with its lock. */
export function holdLocked(env: Env, model: Model, { id, now, changed }: RowChange): void {
  const { held } = settleState(env);
  const known = held.get(model.name) ?? new Map<number, HeldRecord>();
  held.set(model.name, known);
  const record = known.get(id);
  if (record) {
    for (const [field, change] of changed) if (record.values.has(field)) record.values.set(field, change.new);
    return;
  }
  const storedValue = (field: Field) =>
    changed.has(field) ? changed.get(field)?.new : (now.values.get(field) ?? null);
  const values = new Map(env.registry.storedComputes(model.name).map((field) => [field, storedValue(field)]));
  known.set(id, { values, companyId: companyAfter(model, { now, changed }) ?? null });
}

function newRecord(fields: readonly Field[]): HeldRecord {
  return { values: new Map(fields.map((field) => [field, field.kind.fromCell(null)])), companyId: null };
}

/** Computed values of one record that differ from its columns. */
export interface ColumnChange {
  readonly id: number;
  readonly changed: ReadonlyMap<Field, FieldChange>;
}

/** Writes computed values of many records in one statement, and records them like any write. */
export async function updateColumns(
  env: Env,
  model: Model,
  changes: readonly ColumnChange[],
  held: ReadonlyMap<number, HeldRecord>,
): Promise<void> {
  if (changes.length === 0) return;
  const fields = new Set(changes.flatMap((change) => [...change.changed.keys()]));
  const stamps = stamp(env, model, ['write_date', 'write_uid']);
  const rows = changes.map(({ id, changed }) => {
    const values = new Map<Field, unknown>(stamps);
    for (const field of fields) {
      const change = changed.get(field);
      values.set(field, change ? change.new : held.get(id)?.values.get(field));
    }
    return { id, values };
  });
  await updateRows(env, model, [...fields, ...stamps.keys()], rows);
  recordChanges(env, model, changes, held);
}

export function recordChanges(
  env: Env,
  model: Model,
  changes: readonly ColumnChange[],
  held: ReadonlyMap<number, HeldRecord>,
): void {
  const { isSilent, firstChange } = settleState(env);
  if (isSilent && model.isCached && changes.length > 0) noteCachedChange(env.work);
  const company = companyField(model);
  for (const { id, changed } of changes) {
    for (const [field, change] of changed) held.get(id)?.values.set(field, change.new);
    if (isSilent) continue;
    recordChange(env, model, {
      id,
      operation: 'write',
      fields: changed,
      // A line may get its company from its record, as the last of its values.
      companyId: (company && changed.get(company)?.new) ?? held.get(id)?.companyId,
      since: firstChange,
    });
  }
}
