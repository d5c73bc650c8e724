import { type DatabaseSession, openSession } from '@kontor/database';
import { createThrottle, gapChannel, type Kernel } from '@kontor/kernel';
import { type Env, mayAccessModel } from '@kontor/orm';
import { currentPosition, type EventPosition, type PublishedEvent, readEvents, readOverGap } from './read-events.ts';

export type EventListener = (events: readonly PublishedEvent[]) => void;

/**
 * Events of every process, each once, as they are committed. If events may have been missed (the connection was lost, and perhaps
 * the database with it), an event of the channel `bus.gap` follows the known ones.
 */
export interface EventFeed {
  /** Settles once all later commits will be reported. Returns a function that stops it. */
  subscribe(listener: EventListener): Promise<() => void>;
  close(): Promise<void>;
}

const spacingMs = 5;
/** Every change rings the bell; this finds what was missed while it was disconnected. */
const pollMs = 5_000;

export const gapEvent: PublishedEvent = {
  channel: gapChannel,
  payload: {},
  model: null,
  companyId: null,
  userId: null,
};

/** How far events were read, and on which connection: a position is valid as long as its connection. */
interface Cursor extends EventPosition {
  readonly life: number;
}

/** Reads events from now on, while anyone listens. */
export function createEventFeed({ connection, log, on }: Pick<Kernel, 'connection' | 'log' | 'on'>): EventFeed {
  const listeners = new Set<EventListener>();
  let following: Following | null = null;
  const coalescer = createCoalescer((events) => {
    for (const listener of listeners) listener(events);
  });

  function start(): Following {
    return follow({ connection, log }, coalescer.add);
  }

  async function stop(): Promise<void> {
    const old = following;
    following = null;
    coalescer.flush();
    await old?.stop();
  }

  const stopHearing = on('news', () => following?.look());
  return {
    async subscribe(listener) {
      following ??= start();
      const mine = following;
      try {
        await mine.begun;
      } catch (error) {
        if (following === mine) await stop();
        throw error;
      }
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) void stop();
      };
    },
    async close() {
      stopHearing();
      await stop();
      listeners.clear();
    },
  };
}

interface Following {
  /** Settles once everything committed from then on will be delivered. */
  readonly begun: Promise<void>;
  look(): void;
  stop(): Promise<void>;
}

function follow(
  { connection, log }: Pick<Kernel, 'connection' | 'log'>,
  hand: (events: readonly PublishedEvent[]) => void,
): Following {
  let cursor: Cursor | null = null;
  const reading = createThrottle(read, {
    spacingMs,
    onError: (error) => log.warn({ err: error }, 'could not read events'),
  });
  const session: DatabaseSession = openSession(connection, {
    onUp: () => {
      if (cursor) reading.ask();
    },
    onDown: (reason) => log.warn({}, `The connection for events is gone (${reason}); trying again.`),
  });
  const begun = begin();
  begun.catch(() => {});
  const poll = setInterval(reading.ask, pollMs).unref();

  async function begin(): Promise<void> {
    await session.ready();
    const { life } = session;
    cursor = { ...(await currentPosition((statement) => session.query(life, statement))), life };
  }

  async function read(): Promise<void> {
    if (!cursor) return;
    const { life } = session;
    const isGap = life !== cursor.life;
    const readOn = isGap ? readOverGap : readEvents;
    const next = await readOn((statement) => session.query(life, statement), cursor, hand);
    cursor = { ...next, life };
    if (isGap) hand([gapEvent]);
  }

  return {
    begun,
    look: reading.ask,
    async stop() {
      clearInterval(poll);
      await reading.stop();
      await session.close();
    },
  };
}

/** Whether the env's user may receive an event: by its address, or else by model access and company. */
export function mayHear(env: Env, { model: name, companyId, userId }: PublishedEvent): boolean {
  if (userId !== null) return userId === env.uid;
  if (name === null) return true;
  const model = env.registry.models.get(name);
  if (!model || !mayAccessModel(env, model, 'read')) return false;
  const isCompanys = companyId !== null && model.hasCompany && model.companyRule !== false;
  const { companyId: active, shownCompanyIds: shown } = env.actor;
  return !isCompanys || (shown ? shown.includes(companyId) : companyId === active);
}

interface Coalescer {
  add(events: readonly PublishedEvent[]): void;
  /** Delivers everything pending, at once. */
  flush(): void;
}

interface CoalesceTimes {
  /** How long a lone event waits for company, and how long a burst may grow from its first event on. */
  readonly loneMs: number;
  readonly burstMs: number;
  /** Events that are due within this many milliseconds are sent together. */
  readonly tickMs: number;
}

/** From commit to client a lone event takes well under the 100 ms in which a burst becomes one message. */
const coalesceTimes: CoalesceTimes = { loneMs: 22, burstMs: 100, tickMs: 5 };

interface Held {
  event: PublishedEvent;
  readonly since: number;
  due: number;
}

/**
 * Combines a burst on one record into one event. Events for one user, and those without a record, are sent unchanged.
 */
export function createCoalescer(
  emit: (events: readonly PublishedEvent[]) => void,
  times: CoalesceTimes = coalesceTimes,
): Coalescer {
  const held = new Map<unknown, Held>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

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

  /** Delivers what is due until then, and schedules the next run. */
  function send(until: number): void {
    clearTimeout(timer);
    timerAt = Number.POSITIVE_INFINITY;
    const due: PublishedEvent[] = [];
    for (const [key, one] of held) {
      if (one.due > until) continue;
      held.delete(key);
      due.push(one.event);
    }
    if (due.length > 0) emit(due);
    comeBack();
  }

  function comeBack(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of held.values()) next = Math.min(next, due);
    const at = Math.max(next, now + times.tickMs);
    if (held.size === 0 || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => send(performance.now()), Math.ceil(at - now));
  }

  return {
    add(events) {
      const now = performance.now();
      for (const event of events) hold(event, now);
      comeBack();
    },
    flush: () => send(Number.POSITIVE_INFINITY),
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
