import { createThrottle, type Kernel } from '@kontor/kernel';
import { type Env, mayAccessModel } from '@kontor/orm';
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

interface Coalescer {
  add(events: readonly PublishedEvent[]): void;
  /** Hands over what is held, at once. */
  flush(): void;
}

interface CoalesceTimes {
  /** How long a lone event waits for company, and how long a burst may grow from its first event on. */
  readonly loneMs: number;
  readonly burstMs: number;
  /** How often what is due goes out, so that many events become one write a socket. */
  readonly tickMs: number;
}

/**
 * From commit to client a lone event takes well under the 100 ms in which a burst becomes one message. Writing to thousands of
 * sockets is what costs, so that fewer and larger rounds bring an event sooner than many small ones.
 */
const coalesceTimes: CoalesceTimes = { loneMs: 20, burstMs: 100, tickMs: 30 };

interface Held {
  event: PublishedEvent;
  readonly since: number;
  due: number;
}

/** Makes one event of a burst on one record. Events for one person, and those about no record, go out as they are. */
export function createCoalescer(
  emit: (events: readonly PublishedEvent[]) => void,
  times: CoalesceTimes = coalesceTimes,
): Coalescer {
  const held = new Map<unknown, Held>();
  let timer: NodeJS.Timeout | null = null;

  function hold(event: PublishedEvent, now: number): void {
    const key = recordKey(event);
    const known = key === null ? undefined : held.get(key);
    if (known) {
      known.event = merge(known.event, event);
      known.due = known.since + times.burstMs;
    } else {
      held.set(key ?? Symbol(), { event, since: now, due: key === null ? now : now + times.loneMs });
    }
  }

  function send(isDue: (held: Held) => boolean): void {
    const due: PublishedEvent[] = [];
    for (const [key, one] of held) {
      if (!isDue(one)) continue;
      held.delete(key);
      due.push(one.event);
    }
    if (due.length > 0) emit(due);
  }

  function tick(): void {
    timer = null;
    const now = performance.now();
    send((one) => one.due <= now);
    if (held.size > 0) timer = setTimeout(tick, times.tickMs);
  }

  return {
    add(events) {
      const now = performance.now();
      for (const event of events) hold(event, now);
      timer ??= setTimeout(tick, times.tickMs);
    },
    flush() {
      if (timer) clearTimeout(timer);
      timer = null;
      send(() => true);
    },
  };
}

function recordKey({ channel, payload, model, companyId, userId }: PublishedEvent): string | null {
  if (userId !== null || typeof payload.id !== 'number') return null;
  const family = channel.startsWith('record.') ? 'record' : channel;
  return `${family} ${String(payload.model ?? model)} ${payload.id} ${companyId}`;
}

/** The later event replaces the earlier one, but a created record stays created. */
function merge(earlier: PublishedEvent, later: PublishedEvent): PublishedEvent {
  return earlier.channel === 'record.created' && later.channel === 'record.updated' ? earlier : later;
}
