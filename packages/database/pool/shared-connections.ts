import { lruCache } from '@kontor/protocol';
import type { Lease, StatementKind } from './lease.ts';

/**
 * Short statements share a few connections: the server finds the next one as soon as it has finished the one before,
 * which saves wake-ups on both sides, and it plans a statement once for all values. A generic plan is bad for some
 * values, and statements wait for those before them: so only statements that are known to be short are shared, only as
 * many as are short together, and the server cancels those that are not; they are sent again on their own connection,
 * planned for their values. A cancelled statement had no effect, so changes are sent again as well.
 */
export interface SharedConnections {
  /** Null: it should have its own connection. Only opening a connection takes time. */
  take(text: string, as: StatementKind): Lease | null | Promise<Lease | null>;
  /** Records the duration of a statement, on its own or a shared connection. */
  note(text: string, ms: number, as: StatementKind): void;
  /** The server cancelled it: for a good while it gets its own connection. */
  refuse(text: string): void;
}

/** Three server processes execute more short reads than one of ours can send. */
export const maxShared = 3;
/** As long as the server works on one of them; a commit may take longer. */
export const sharedTimeoutMs = 100;
/** Maximum expected work on one connection. Sequential commits wait for the disk longer than parallel ones. */
const maxTogetherMs = { read: 25, change: 8 } as const;
/** Pause before another attempt to open shared connections. */
const againMs = 10_000;

interface Shared {
  readonly lease: Lease;
  users: number;
  changes: number;
  /** How long the server will need for the pending statements, based on earlier durations. */
  expectedMs: number;
  /** Sent, but not yet prepared on the connection: its name must not be used twice. */
  readonly learning: Set<string>;
  isBroken: boolean;
}

const hasChanges = ({ changes }: Shared): boolean => changes > 0;

// Over 60 lines: the functions share the counts of each connection.
export function createSharedConnections(open: () => Promise<Lease>): SharedConnections {
  const times = createTimes();
  const inUse = new Set<Shared>();
  let opening = 0;
  let notBefore = 0;

  /** The connection that will be free first. */
  function leastBusy(text: string, mostMs: number, mayBe: (one: Shared) => boolean = () => true): Shared | null {
    let least: Shared | null = null;
    for (const one of inUse) {
      const isBetter = one.expectedMs < (least?.expectedMs ?? mostMs);
      if (isBetter && !one.isBroken && !one.learning.has(text) && mayBe(one)) least = one;
    }
    return least;
  }

  function leaseOn(one: Shared, text: string, as: StatementKind, expectedMs: number): Lease {
    const isNew = !one.lease.statements.knows(text);
    const changes = as === 'change' ? 1 : 0;
    if (isNew) one.learning.add(text);
    one.users++;
    one.changes += changes;
    one.expectedMs += expectedMs;
    const release = (isBroken = false): void => {
      if (isNew) one.learning.delete(text);
      one.isBroken ||= isBroken;
      one.changes -= changes;
      one.expectedMs -= expectedMs;
      if (--one.users > 0) return;
      inUse.delete(one);
      one.lease.release(one.isBroken);
    };
    const { client, statements, statementTimeoutMs, marks } = one.lease;
    return { client, statements, statementTimeoutMs, marks, sharedFor: as, release };
  }

  async function openOne(): Promise<Shared | null> {
    opening++;
    try {
      const lease = await open();
      const one = { lease, users: 0, changes: 0, expectedMs: 0, learning: new Set<string>(), isBroken: false };
      inUse.add(one);
      return one;
    } catch {
      notBefore = performance.now() + againMs;
      return null;
    } finally {
      opening--;
    }
  }

  return {
    take(text, as) {
      const expectedMs = times.expectedMs(text, as);
      if (expectedMs === null || performance.now() < notBefore) return null;
      const mostMs = maxTogetherMs[as] - expectedMs;
      // Changes go behind changes, so that reads have the other connections.
      const behind = as === 'change' ? leastBusy(text, mostMs, hasChanges) : null;
      const hasRoom = inUse.size + opening < maxShared;
      if (!behind && hasRoom) return openOne().then((one) => one && leaseOn(one, text, as, expectedMs));
      const one = behind ?? leastBusy(text, mostMs);
      return one && leaseOn(one, text, as, expectedMs);
    },
    note: times.note,
    refuse: times.refuse,
  };
}

const reads = /^\s*select\b/i;
const locks = /\bfor\s+(?:no\s+key\s+|key\s+)?(?:update|share)\b|_lock/i;

/** A statement that may wait for a row lock is not a short read: statements queued behind it would wait too. */
function isPlainRead(text: string): boolean {
  return reads.test(text) && !locks.test(text);
}

const never = Number.POSITIVE_INFINITY;
const maxTimes = 2_000;
/** Weight of a longer time. Longer times are mostly waits for a CPU; the shortest time is the statement's own. */
const weight = 0.02;

interface Times {
  /** Null: unknown, or known not to be short. */
  expectedMs(text: string, as: StatementKind): number | null;
  note(text: string, ms: number, as: StatementKind): void;
  refuse(text: string): void;
}

interface Known {
  ms: number;
  /** How often the server cancelled it, and how many runs on its own connection follow before it is shared again. */
  refusals: number;
  rests: number;
}

/**
 * A server that stalls for a moment cancels short statements too: after this many runs it is tried again, after a
 * second cancellation four times as many.
 */
const firstRests = 50;
const moreRests = 4;

/** Estimated durations of statements without waiting. */
export function createTimes(): Times {
  const known = lruCache<string, Known>(maxTimes);
  return {
    expectedMs(text, as) {
      const one = known.get(text);
      return !one || one.rests > 0 || one.ms > maxTogetherMs[as] / 2 ? null : one.ms;
    },
    note(text, ms, as) {
      const one = known.get(text);
      if (!one) known.set(text, { ms: as === 'change' || isPlainRead(text) ? ms : never, refusals: 0, rests: 0 });
      else {
        one.rests = Math.max(0, one.rests - 1);
        if (one.ms !== never) one.ms = Math.min(ms, one.ms + (ms - one.ms) * weight);
      }
    },
    refuse(text) {
      const one = known.get(text);
      if (one) one.rests = firstRests * moreRests ** one.refusals++;
    },
  };
}
