import { type Queryable, sql } from '@kontor/database';
import type { SessionLimits } from './sessions.ts';

/** Takes away what has had its time: sessions, tokens, failed sign-ins, allowances that are full again, kept answers. */
export async function sweepExpired(db: Queryable, limits: SessionLimits): Promise<void> {
  await db.execute(sql`
    delete from sys_session
    where last_seen_at < now() - make_interval(mins => ${limits.idleMinutes}::int4)
      or started_at < now() - make_interval(days => ${limits.maxDays}::int4)`);
  await db.execute(sql`delete from sys_password_token where expires_at < now()`);
  await db.execute(sql`delete from sys_login_attempt where at < now() - interval '1 day'`);
  await db.execute(sql`delete from sys_rate_bucket where at < now() - interval '5 minutes'`);
  await db.execute(sql`delete from sys_idempotency where create_date < now() - interval '24 hours'`);
}
