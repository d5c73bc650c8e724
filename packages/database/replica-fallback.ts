import { serverError } from './errors/sql-state.ts';
import { isConnectionFailure } from './errors/unavailable.ts';
import type { Database, Queryable } from './queryable.ts';

export interface FallbackOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly onFailure: (error: unknown) => void;
}

/** The replica, with the primary behind it: what a dying replica, or one busy replaying, cannot answer is asked there. */
export function withFallback({ primary, replica, onFailure }: FallbackOptions): Database {
  async function attempt<T>(work: (database: Database) => Promise<T>): Promise<T> {
    try {
      return await work(replica);
    } catch (error) {
      const isDown = isConnectionFailure(error);
      if (isDown) onFailure(error);
      // A standby cancels reads that stand in the way of replay with 40001 or 40P01.
      else if (!['40001', '40P01'].includes(serverError(error)?.code ?? '')) throw error;
    }
    return work(primary);
  }

  return {
    query: <Row extends object>(statement: Parameters<Queryable['query']>[0]) =>
      attempt((database) => database.query<Row>(statement)),
    arrays: (statement) => attempt((database) => database.arrays(statement)),
    json: (statement, shape) => attempt((database) => database.json(statement, shape)),
    csv: (statement, shape) => attempt((database) => database.csv(statement, shape)),
    execute: (statement) => attempt((database) => database.execute(statement)),
    transaction: (work, options) => attempt((database) => database.transaction(work, options)),
    get statements() {
      return replica.statements + primary.statements;
    },
    close: () => replica.close(),
  };
}
