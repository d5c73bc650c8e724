import type { Database, Queryable } from '@kontor/database';
import { type OutboxEvent, publishEvents } from './publish-events.ts';

/** What a unit of work says outside its own transaction, on another connection: how far it is, and that it failed. */
export interface Aside {
  /** Soon, and one after another; the work does not wait for it, and nobody is told when it does not succeed. */
  run(work: (db: Queryable) => Promise<unknown>): void;
  publish(event: OutboxEvent): void;
  /** Once the unit of work has failed and its transaction is rolled back. */
  onFailure(work: (db: Queryable, error: unknown) => Promise<unknown>): void;
}

export interface OpenAside extends Aside {
  /** A new try: what the last one wanted to say about its failure no longer holds. */
  begin(): void;
  /** Says it, and throws the error again. */
  fail(error: unknown): Promise<never>;
}

/** Nothing is awaited while the work holds a connection: with all connections at work, they would wait for each other. */
export function createAside(database: Database, ring: () => void): OpenAside {
  let last: Promise<unknown> = Promise.resolve();
  let onFailure: Parameters<Aside['onFailure']>[0] | null = null;
  const run: Aside['run'] = (work) => {
    last = last.then(() => work(database)).catch(() => {});
  };
  return {
    run,
    publish: (event) =>
      run(async (db) => {
        await publishEvents(db, [event]);
        ring();
      }),
    onFailure: (work) => {
      onFailure = work;
    },
    begin: () => {
      onFailure = null;
    },
    async fail(error) {
      const say = onFailure;
      if (say) {
        run((db) => say(db, error));
        await last;
      }
      throw error;
    },
  };
}
