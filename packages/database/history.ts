import { sql } from './sql/sql.ts';

/**
 * Identifies the database and its history: it changes after a failover (the timeline) and when a backup is restored
 * (the server, the database). Numbers of transactions and rows are comparable only within one history.
 */
export const databaseHistory = sql`concat_ws(' ', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), (select oid from pg_database where datname = current_database()))`;

/**
 * For tables whose rows store their transaction in the column `xact`. A restored row names a transaction of another
 * server, and is not new: it was written (xmin) by an earlier one than it names. If written inside a savepoint, it was
 * by a later one.
 */
export const wasWrittenHere = sql`(4294967296 + xmin::text::int8 - mod(xact, 4294967296)::int8) % 4294967296 < 2147483648`;
