import { ident, sql } from '@kontor/database';
import type { OldRows, Runtime } from '@kontor/kernel';

const batch = 5_000;

/** Deletes in small transactions, so that nobody waits and an interruption loses little. */
export async function deleteOld(
  { database, registry }: Pick<Runtime, 'database' | 'registry'>,
  { model, column, age, states }: OldRows,
  signal: AbortSignal,
): Promise<number> {
  const { table } = registry.model(model);
  const isOfState = states ? sql`and state = any(${[...states]}::text[])` : sql``;
  let total = 0;
  for (;;) {
    const count = await database.execute(sql`
      delete from ${ident(table)} where id in (
        select id from ${ident(table)} where ${ident(column)} < now() - ${age}::interval ${isOfState}
        order by id limit ${batch}::int4 for update skip locked)`);
    total += count;
    if (count < batch || signal.aborted) return total;
  }
}
