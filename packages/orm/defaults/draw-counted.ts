import { sql } from '@kontor/database';
import type { Env } from '../env.ts';
import { counterName, setCounter } from './counter.ts';
import type { SequenceRow } from './next-numbers.ts';

/**
 * Numbers that may have gaps come from a PostgreSQL sequence of the row's own: drawing one waits for nobody, and a
 * rollback loses it. The row keeps where counting starts; changing it there starts the counter anew.
 */
export async function drawCounted(env: Env, row: SequenceRow, count: number): Promise<number[]> {
  if (row.counter_start !== row.number_next || row.counter_increment !== row.number_increment)
    await setCounter(env, row);
  const rows = await env.db.arrays(sql`
    select nextval(${counterName(row.id)}::regclass) from generate_series(1, ${count}::int4)`);
  return rows.map((each) => each[0] as number);
}
