export { isRetryable } from './errors/is-retryable.ts';
export { isConnectionFailure } from './errors/unavailable.ts';
export type { ConnectionConfig } from './pool/connection-config.ts';
export { createDatabase, type DatabaseOptions, type PooledDatabase } from './pool/create-database.ts';
export { parseDsn } from './pool/parse-dsn.ts';
export * from './queryable.ts';
export * from './schema/table-spec.ts';
export * from './sql/sql.ts';
