import { ident, sql, trustedSql } from '@kontor/database';
import type { Env } from '../model/model.ts';

/** The settings of a counter in a row of `sys.sequence`. */
export interface Counting {
  readonly id: number;
  readonly number_next: number;
  readonly number_increment: number;
}

export function counterName(sequenceId: number): string {
  return `sys_sequence_${sequenceId}`;
}

/**
 * Creates the counter, or restarts it after its row was changed. This happens once per change, so waiting for others is
 * fine.
 */
export async function setCounter(
  env: Env,
  { id, number_next: start, number_increment: step }: Counting,
): Promise<void> {
  const name = counterName(id);
  await env.db.execute(sql`select pg_advisory_xact_lock(hashtext('sys_sequence'), ${id})`);
  const [known] = await env.db.query<{ start: number; step: number }>(sql`
    select seqstart as start, seqincrement as step from pg_sequence where seqrelid = to_regclass(${name})`);
  if (known?.start === start && known.step === step) return;
  const counting = trustedSql(
    `increment by ${Math.trunc(step)} minvalue ${Math.min(1, start)} start with ${Math.trunc(start)}`,
  );
  await env.db.execute(sql`create sequence if not exists ${ident(name)} ${counting}`);
  if (!known) return;
  const where = trustedSql(known.start === start ? '' : ` restart with ${Math.trunc(start)}`);
  await env.db.execute(sql`alter sequence ${ident(name)} ${counting}${where}`);
}

/** Writes the next number of each counter into its row, so that the rows alone define the numbering. */
export async function noteCounters(env: Env, ids: readonly number[]): Promise<void> {
  await env.db.execute(sql`
    update sys_sequence s set number_next = pg_sequence_last_value(c.seqrelid) + s.number_increment
    from pg_sequence c
    where s.id = any(${ids}::int4[]) and c.seqrelid = to_regclass('sys_sequence_' || s.id)
      and c.seqstart = s.number_next and pg_sequence_last_value(c.seqrelid) is not null`);
}
