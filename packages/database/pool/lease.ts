import type { PoolClient } from 'pg';
import type { StatementCache } from './statement-cache.ts';

/** Messages of the server besides its answers. */
export interface CommitMarks {
  /** It gave up waiting for its synchronous standby, and committed all the same. */
  isUncopied: boolean;
}

/** A change is one whole transaction, and its time that of its commit too. */
export type StatementKind = 'read' | 'change';

/** A connection taken from the pool until it is released. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** Statement timeout of the server; 0 means none. */
  statementTimeoutMs: number;
  /** Of the connection, by whichever lease it is used. */
  readonly marks: CommitMarks;
  /** Others' short statements may be under way on the connection; its statement, of this kind, is sent behind them. */
  readonly sharedFor: StatementKind | null;
  /** If true, the connection is closed instead of being reused. */
  release(isBroken?: boolean): void;
}
