import { type Queryable, sql } from '@kontor/database';

/** Counting stops here: past it the exact number says nothing more. */
const most = 100_000;

/** How much waits in the database; nothing when it cannot be asked, since the other numbers matter most then. */
export async function readQueueDepths(db: Queryable): Promise<ReadonlyMap<string, number>> {
  try {
    const [row] = await db.query<{ outbox: number; cron: number; mail: number }>(sql`
      select (select count(*)::int4 from (select 1 from sys_outbox limit ${most}::int4) o) as outbox,
        (select count(*)::int4 from sys_cron where active and next_call <= now()) as cron,
        (select count(*)::int4 from (select 1 from mail_queue where state in ('queued', 'sending') limit ${most}::int4) m) as mail`);
    return new Map(Object.entries(row ?? {}));
  } catch {
    return new Map();
  }
}
