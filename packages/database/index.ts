export { type Bell, type BellLog, createBell } from './bell.ts';
export { checkDump, type DumpSummary, loadDump, refuseFilledDatabase } from './dump/load-dump.ts';
export { writeDump } from './dump/write-dump.ts';
export * from './embedded/embedded-server.ts';
export { type FoundEmbedded, findEmbedded } from './embedded/find-embedded.ts';
export { startEmbedded } from './embedded/start-embedded.ts';
export { emptyLeftovers, jsonCleaner, type Replacing, replaceEverywhere } from './erase.ts';
export { isRetryable } from './errors/sql-state.ts';
export {
  type Describe,
  type Described,
  translateDatabaseError,
  wholeRecord,
} from './errors/translate-database-error.ts';
export { isConnectionFailure } from './errors/unavailable.ts';
export { databaseHistory, wasWrittenHere } from './history.ts';
export { type MigrationFile, type MigrationPhase, migrationChecksum } from './migrations/migration-file.ts';
export { dueMigrations, type MigrationRun, runMigrations } from './migrations/run-migrations.ts';
export { unsafeStatements } from './migrations/unsafe-statements.ts';
export { createDatabase, type DatabaseOptions, type PooledDatabase } from './pool/create-database.ts';
export { type ConnectionConfig, parseDsn } from './pool/parse-dsn.ts';
export { keepRoleSettings } from './pool/session-settings.ts';
export type { Cell } from './pool/type-parsers.ts';
export { leadsToPooler } from './pooler.ts';
export * from './queryable.ts';
export { createReplicaRouter, currentLsn, type ReplicaRouter, type ReplicaRouterOptions } from './replica.ts';
export { finishSchema } from './schema/finish-schema.ts';
export { dueJoins, type JoinedTable, joinTables } from './schema/join-tables.ts';
export { dropLeft, type LeftData, leftData } from './schema/left-data.ts';
export { parkColumns, parkTable } from './schema/park.ts';
export { dueRenames, type Rename, renameSchema, type TableRename } from './schema/rename.ts';
export type { LockOptions } from './schema/schema-lock.ts';
export type { AwaitingColumn, Refusal, SchemaReport } from './schema/step.ts';
export { requireColumns, syncSchema } from './schema/sync-schema.ts';
export * from './schema/table-spec.ts';
export { type DatabaseSession, openSession, type SessionOptions } from './session.ts';
export { createSessionLocks, type SessionLockLog, type SessionLocks } from './session-locks.ts';
export * from './sql/sql.ts';
export { trustedSql } from './sql/sql.ts';
export { type CsvColumn, type CsvForm, type CsvPart, type CsvShape, csvShape } from './wire/csv-rows.ts';
export { type CellForm, type JsonColumn, type JsonShape, jsonShape } from './wire/json-rows.ts';
