import { sql } from './sql/sql.ts';

/**
 * Names the database and its history: another text after a failover (the timeline) and where a backup was restored (the server,
 * the database). Numbers of transactions and of rows mean the same only within one history.
 */
export const databaseHistory = sql`concat_ws(' ', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), (select oid from pg_database where datname = current_database()))`;
