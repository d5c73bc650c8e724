import { ident, sql } from '@kontor/database';
import type { Env, Model } from '../model/model.ts';
import { addIds, settleState } from '../operation/settle-state.ts';
import { dueComputes } from './due.ts';
import { inOperation } from './in-operation.ts';

const batchSize = 2000;

/**
 * Computes stored fields of every record, for an upgrade that adds them. The changes are neither recorded nor checked
 * by constraints.
 */
export async function recomputeAll(env: Env, model: Model, fieldNames: readonly string[]): Promise<void> {
  const portion = { until: null, size: batchSize };
  let last: number | null = 0;
  while (last !== null) last = await recomputePortion(env, model, fieldNames, { ...portion, after: last });
}

/** Some of the records of a model, in the order of their ids. */
export interface Portion {
  readonly after: number;
  /** Null: up to the newest record. */
  readonly until: number | null;
  readonly size: number;
}

/** The same for a portion of the records; returns the id to continue after, or null at the end. */
export async function recomputePortion(
  env: Env,
  model: Model,
  fieldNames: readonly string[],
  { after, until, size }: Portion,
): Promise<number | null> {
  const computes = new Set(env.registry.storedComputes(model.name).map((field) => field.name));
  const names = fieldNames.filter((name) => computes.has(name));
  if (names.length === 0) return null;
  return silently(env, async () => {
    const rows = await env.db.arrays(sql`
      select id from ${ident(model.table)} where id > ${after} and id <= coalesce(${until}::int4, id)
      order by id limit ${size}`);
    const ids = rows.map((row) => row[0] as number);
    if (ids.length === 0) return null;
    await inOperation(env, async () => {
      for (const name of names) addIds(dueComputes(env), model.name, name, ids);
    });
    return ids.at(-1) as number;
  });
}

/** Changes are neither recorded nor checked. */
export async function silently<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const state = settleState(env);
  const wasSilent = state.isSilent;
  state.isSilent = true;
  try {
    return await work();
  } finally {
    state.isSilent = wasSilent;
  }
}
