import type { Database, Queryable } from '@kontor/database';
import { queue } from '@kontor/protocol';
import type { OutboxEvent } from './keep-rows.ts';

/** Work of a unit of work outside its transaction, on another connection: reports progress or failure. */
export interface SideWork {
  /** Runs soon and one after another; the unit of work does not wait for it, and failures are not reported. */
  run(work: (db: Queryable) => Promise<unknown>): void;
  publish(event: OutboxEvent): void;
  /** Once the unit of work has failed and its transaction is rolled back. */
  onFailure(work: (db: Queryable, error: unknown) => Promise<unknown>): void;
}

export interface OpenSideWork extends SideWork {
  /** A new try: what the last one planned to do about its failure no longer applies. */
  begin(): void;
  /** Runs the work planned for a failure, and rethrows the error. */
  fail(error: unknown): Promise<never>;
}

/** Nothing is awaited while the work holds a connection: with all connections in use, they would wait for each other. */
export function createSideWork(
  database: Database,
  write: (db: Queryable, event: OutboxEvent) => Promise<void>,
): OpenSideWork {
  const waiting = queue();
  let onFailure: Parameters<SideWork['onFailure']>[0] | null = null;
  const run: SideWork['run'] = (work) => {
    waiting.run(() => work(database)).catch(() => {});
  };
  return {
    run,
    publish: (event) => run((db) => write(db, event)),
    onFailure: (work) => {
      onFailure = work;
    },
    begin: () => {
      onFailure = null;
    },
    async fail(error) {
      const work = onFailure;
      if (work) {
        run((db) => work(db, error));
        await waiting.idle();
      }
      throw error;
    },
  };
}
