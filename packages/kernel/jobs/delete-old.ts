import { type Database, ident, sql } from '@kontor/database';

export interface OldRows {
  readonly table: string;
  /** A time column, older rows first by id. */
  readonly column: string;
  /** What PostgreSQL reads as an interval. */
  readonly age: string;
  /** Only rows in one of these states. */
  readonly states?: readonly string[];
}

const batch = 5_000;

/** Deletes in small transactions, so that nobody waits and an interruption loses little. */
export async function deleteOld(database: Database, rows: OldRows, signal: AbortSignal): Promise<number> {
  const { table, column, age, states } = rows;
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
