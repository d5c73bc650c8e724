import { sql } from '@kontor/database';
import type { SystemJobSpec } from '@kontor/kernel';

/** Sessions and tokens that nobody can use any more. */
export const cleanSessions: SystemJobSpec = {
  name: 'clean_sessions',
  async runAsSystem({ database, config }) {
    await database.execute(sql`
      delete from sys_session
      where last_seen_at < now() - make_interval(mins => ${config.sessionIdleMinutes}::int4)
        or started_at < now() - make_interval(days => ${config.sessionMaxDays}::int4)`);
    await database.execute(sql`delete from sys_password_token where expires_at < now()`);
  },
};
