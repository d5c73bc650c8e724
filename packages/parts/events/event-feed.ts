import { createThrottle, type Kernel } from '@kontor/kernel';
import { type Env, mayAccessModel } from '@kontor/orm';
import { createCoalescer } from './coalesce.ts';
import { currentSnapshot, type PublishedEvent, readOutbox, type Snapshot } from './read-outbox.ts';

export type EventListener = (events: readonly PublishedEvent[]) => void;

/** Events of every process, each once, as they are committed. */
export interface EventFeed {
  /** Settles once everything that is committed from then on will be told. Returns how to stop. */
  subscribe(listener: EventListener): Promise<() => void>;
  close(): Promise<void>;
}

const spacingMs = 10;
/** The bell rings for everything; this finds what it rang for while it was broken. */
const pollMs = 5_000;

/** Reads the outbox from now on, while anyone listens. */
export function createEventFeed({ database, log, on }: Pick<Kernel, 'database' | 'log' | 'on'>): EventFeed {
  const listeners = new Set<EventListener>();
  let cursor: Promise<Snapshot> | null = null;
  let poll: NodeJS.Timeout | null = null;
  const coalescer = createCoalescer((events) => {
    for (const listener of listeners) listener(events);
  });
  const reading = createThrottle(read, {
    spacingMs,
    onError: (error) => log.warn({ err: error }, 'could not read events'),
  });

  async function read(): Promise<void> {
    if (!cursor) return;
    const since = await cursor;
    const next = await readOutbox(database, since, coalescer.add);
    if (cursor) cursor = Promise.resolve(next);
  }

  function start(): Promise<Snapshot> {
    poll ??= setInterval(reading.ask, pollMs).unref();
    const starting = currentSnapshot(database);
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

  const stopHearing = on('bell', () => {
    if (cursor) reading.ask();
  });
  return {
    async subscribe(listener) {
      cursor ??= start();
      await cursor;
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    async close() {
      stopHearing();
      await reading.stop();
      stop();
      listeners.clear();
    },
  };
}

/** Whether an event may be told to the env's person: to whom it is addressed, else by model access and company. */
export function mayHear(env: Env, { model: name, companyId, userId }: PublishedEvent): boolean {
  if (userId !== null) return userId === env.uid;
  if (name === null) return true;
  const model = env.registry.models.get(name);
  if (!model || !mayAccessModel(env, model, 'read')) return false;
  const isCompanys = companyId !== null && model.hasCompany && model.companyRule !== false;
  return !isCompanys || companyId === env.actor.companyId;
}
