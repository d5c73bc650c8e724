import type { PoolClient } from 'pg';
import type { StatementCache } from './statement-cache.ts';

/** A connection taken from the pool until it is given back. */
export interface Lease {
  readonly client: PoolClient;
  readonly statements: StatementCache;
  /** With true the connection is closed instead of being used again. */
  release(isBroken?: boolean): void;
}
