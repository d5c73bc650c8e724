import type { PoolClient } from 'pg';
import type { StatementCache } from './statement-cache.ts';

/** Messages of the server besides its results. */
export interface CommitMarks {
  /** It gave up waiting for its synchronous standby, and committed anyway. */
  isUncopied: boolean;
}

/** A change is one whole transaction, and its duration includes the commit. */
export type StatementKind = 'read' | 'change';

/** A connection taken from the pool until it is released. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** Statement timeout of the server; 0 means none. */
  statementTimeoutMs: number;
  /** A property of the connection, shared by all of its leases. */
  readonly marks: CommitMarks;
  /** Short statements of others may be running on the connection; this one is sent behind them. */
  readonly sharedFor: StatementKind | null;
  /** If true, the connection is closed instead of being reused. */
  release(isBroken?: boolean): void;
}
