import { sql } from './sql/sql.ts';

/**
 * Names the database and its history: another text after a failover (the timeline) and where a backup was restored (the server,
 * the database). Numbers of transactions and of rows mean the same only within one history.
 */
export const databaseHistory = sql`concat_ws(' ', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), (select oid from pg_database where datname = current_database()))`;

/**
 * For tables whose rows name their transaction in the column `xact`. A row that was restored names one of another server, and is
 * no news: it was written (xmin) by an earlier one than it names. Written inside a savepoint, it was by a later one.
 */
export const wasWrittenHere = sql`(4294967296 + xmin::text::int8 - mod(xact, 4294967296)::int8) % 4294967296 < 2147483648`;
