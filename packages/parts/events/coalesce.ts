import type { PublishedEvent } from './read-outbox.ts';

export interface Coalescer {
  add(events: readonly PublishedEvent[]): void;
  /** Hands over what is held, at once. */
  flush(): void;
}

export interface CoalesceTimes {
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
export const coalesceTimes: CoalesceTimes = { loneMs: 20, burstMs: 100, tickMs: 30 };

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

/** The later one tells all, but a record that is new stays new. */
function merge(earlier: PublishedEvent, later: PublishedEvent): PublishedEvent {
  return earlier.channel === 'record.created' && later.channel === 'record.updated' ? earlier : later;
}
