import { ident, sql } from '@kontor/database';
import type { Env } from '../env.ts';
import type { HookSpec } from '../model/definition.ts';
import { counterName, setCounter } from './counter.ts';

interface Row {
  readonly id: number;
  readonly number_next: number;
  readonly number_increment: number;
}

/** For `sys.sequence`: makes the counters with the rows, so that the first record to be numbered does not have to. */
export const sequenceHooks: HookSpec = Object.freeze({
  afterCreate: ({ env, ids }: { readonly env: Env; readonly ids: readonly number[] }) => setCounters(env, ids),
  afterWrite: ({ env, ids }: { readonly env: Env; readonly ids: readonly number[] }) => setCounters(env, ids),
  async afterUnlink({ env, ids }: { readonly env: Env; readonly ids: readonly number[] }) {
    for (const id of ids) await env.db.execute(sql`drop sequence if exists ${ident(counterName(id))}`);
  },
});

async function setCounters(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<Row>(sql`
    select id, number_next, number_increment from sys_sequence where id = any(${ids}::int4[]) and not gapless order by id`);
  for (const row of rows) await setCounter(env, row);
}
