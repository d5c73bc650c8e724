import type { Queryable } from '@kontor/database';
import type { KernelLog } from '../kernel.ts';
import { createPulse } from '../runtime/create-pulse.ts';
import { createCoalescer } from './coalesce.ts';
import { currentSnapshot, type PublishedEvent, readOutbox, type Snapshot } from './read-outbox.ts';

export type EventListener = (events: readonly PublishedEvent[]) => void;

/** Events of every process, each once, as they are committed. */
export interface EventFeed {
  /** Settles once everything that is committed from then on will be told. Returns how to stop. */
  subscribe(listener: EventListener): Promise<() => void>;
  /** There may be something new. */
  wake(): void;
  close(): Promise<void>;
}

const spacingMs = 10;
/** The bell rings for everything; this finds what it rang for while it was broken. */
const pollMs = 5_000;

/** Reads the outbox from now on, while anyone listens. */
export function createEventFeed(db: Queryable, log: KernelLog): EventFeed {
  const listeners = new Set<EventListener>();
  let cursor: Promise<Snapshot> | null = null;
  let poll: NodeJS.Timeout | null = null;
  const coalescer = createCoalescer((events) => {
    for (const listener of listeners) listener(events);
  });
  const pulse = createPulse(read, {
    spacingMs,
    onError: (error) => log.warn({ err: error }, 'could not read events'),
  });

  async function read(): Promise<void> {
    if (!cursor) return;
    const since = await cursor;
    const next = await readOutbox(db, since, coalescer.add);
    if (cursor) cursor = Promise.resolve(next);
  }

  function start(): Promise<Snapshot> {
    poll ??= setInterval(pulse.beat, pollMs).unref();
    const starting = currentSnapshot(db);
    starting.catch(() => {
      if (cursor === starting) cursor = null;
    });
    return starting;
  }

  function stop(): void {
    if (poll) clearInterval(poll);
    poll = null;
    cursor = null;
    coalescer.flush();
  }

  return {
    async subscribe(listener) {
      cursor ??= start();
      await cursor;
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    wake: () => {
      if (cursor) pulse.beat();
    },
    async close() {
      await pulse.stop();
      stop();
      listeners.clear();
    },
  };
}
