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
  const computes = new Set(env.registry.storedComputes(model.name).map((field) => field.name));
  const names = fieldNames.filter((name) => computes.has(name));
  if (names.length === 0) return;
  const state = settleState(env);
  const wasSilent = state.isSilent;
  state.isSilent = true;
  try {
    let last = 0;
    for (;;) {
      const rows = await env.db.arrays(sql`
        select id from ${ident(model.table)} where id > ${last} order by id limit ${batchSize}`);
      const ids = rows.map((row) => row[0] as number);
      if (ids.length === 0) return;
      await inOperation(env, async () => {
        for (const name of names) addIds(dueComputes(env), model.name, name, ids);
      });
      last = ids.at(-1) as number;
    }
  } finally {
    state.isSilent = wasSilent;
  }
}
