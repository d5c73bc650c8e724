import { ident, sql } from '@kontor/database';
import type { Env } from '../env.ts';
import { counterName } from './counter.ts';
import type { SequenceRow } from './next-numbers.ts';

/** Numbers without gaps: the row stays locked until this transaction ends, and a rollback gives the numbers back. */
export async function drawGapless(env: Env, row: SequenceRow, count: number): Promise<number[]> {
  if (row.counter_start !== null) await retireCounter(env, row);
  const [drawn] = await env.db.query<{ next: number; step: number }>(sql`
    update sys_sequence set number_next = number_next + number_increment * ${count}::int4
    where id = ${row.id} returning number_next as next, number_increment as step`);
  if (!drawn) throw new Error(`Sequence ${row.id} is gone.`);
  const first = drawn.next - drawn.step * count;
  return Array.from({ length: count }, (_, i) => first + drawn.step * i);
}

/** A sequence that was switched to gapless goes on where its counter stopped, or no number would be unique. */
async function retireCounter(env: Env, { id }: SequenceRow): Promise<void> {
  const name = counterName(id);
  await env.db.execute(sql`select 1 from sys_sequence where id = ${id} for update`);
  await env.db.execute(sql`
    update sys_sequence s set number_next = pg_sequence_last_value(c.seqrelid) + s.number_increment
    from pg_sequence c
    where s.id = ${id} and c.seqrelid = to_regclass(${name})
      and c.seqstart = s.number_next and pg_sequence_last_value(c.seqrelid) is not null`);
  await env.db.execute(sql`drop sequence if exists ${ident(name)}`);
}
