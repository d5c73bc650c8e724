import type { PoolClient } from 'pg';
import type { StatementCache } from './statement-cache.ts';

/** A connection taken from the pool until it is given back. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** How long the server may work on one statement by its own limit; 0: for ever. */
  statementTimeoutMs: number;
  /** The server gave up waiting for its synchronous standby, and committed all the same. */
  isUncopied: boolean;
  /** Others' short reads may be under way on the connection; its statement is sent behind them. */
  readonly isShared: boolean;
  /** With true the connection is closed instead of being used again. */
  release(isBroken?: boolean): void;
}
