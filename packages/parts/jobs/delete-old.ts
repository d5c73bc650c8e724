import { type Database, ident, type Sql, sql } from '@kontor/database';
import type { OldRows, Runtime } from '@kontor/kernel';

const rowsAtOnce = 5_000;

/** Deletes in small transactions, so that nobody waits and an interruption loses little. Returns the number of deleted rows. */
export async function deleteOld(
  { database, registry }: Pick<Runtime, 'database' | 'registry'>,
  { model, column, age, states }: OldRows,
  signal: AbortSignal,
  batch = rowsAtOnce,
): Promise<number> {
  const { table } = registry.model(model);
  const isOld = sql`${ident(column)} < now() - ${age}::interval`;
  if (column === 'create_date' && !states) return deleteFirst(database, { table, isOld, batch }, signal);
  const isOfState = states ? sql`and state = any(${[...states]}::text[])` : sql``;
  let total = 0;
  for (;;) {
    const count = await database.execute(sql`
      delete from ${ident(table)} where id in (
        select id from ${ident(table)} where ${isOld} ${isOfState}
        order by ${ident(column)} limit ${batch}::int4 for update skip locked)`);
    total += count;
    if (count < batch || signal.aborted) return total;
  }
}

/**
 * Ids are assigned in the order of creation, so old rows come first: no index on the time is needed or maintained. Two concurrent
 * transactions may overtake each other, so it ends when a whole batch is young.
 */
async function deleteFirst(
  database: Database,
  { table, isOld, batch }: { readonly table: string; readonly isOld: Sql; readonly batch: number },
  signal: AbortSignal,
): Promise<number> {
  const rows = ident(table);
  let total = 0;
  let after = 0;
  for (;;) {
    const [found] = await database.query<{ last: number; seen: number; old: number; gone: number }>(sql`
      with next as materialized (
        select id, ${isOld} as is_old from ${rows} where id > ${after}::int4 order by id limit ${batch}::int4
      ), taken as (
        select id from ${rows} where id in (select id from next where is_old) for update skip locked
      ), gone as (
        delete from ${rows} where id in (select id from taken) returning id
      )
      select coalesce(max(id), 0) as last, count(*)::int4 as seen, count(*) filter (where is_old)::int4 as old,
        (select count(*)::int4 from gone) as gone
      from next`);
    const { last = 0, seen = 0, old = 0, gone = 0 } = found ?? {};
    total += gone;
    after = last;
    if (seen < batch || old === 0 || signal.aborted) return total;
  }
}
