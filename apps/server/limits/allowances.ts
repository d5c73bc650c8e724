import type { CallLease, LeaseRequest } from '@kontor/parts';
import { lruCache } from '@kontor/protocol';

export interface Asked {
  readonly client: string;
  readonly perMinute: number;
}

interface Left {
  readonly perMinute: number;
  /** Remaining calls, as far as this process knows. */
  readonly left: number;
  readonly resetSeconds: number;
}

export interface Allowances {
  /** Takes one call from each allowance, or from none of them. `waitSeconds` is 0, or how long to wait. */
  take(asked: readonly Asked[]): Promise<{ readonly waitSeconds: number; readonly least: Left }>;
  readonly size: number;
}

interface AllowanceOptions {
  /**
   * The maximum number of clients in memory; then the least recently active one is dropped, with the rest of its lease.
   */
  readonly maxClients?: number;
  readonly now?: () => number;
}

type LeaseFrom = (request: LeaseRequest) => Promise<CallLease>;

/** A rejection is cached for this long, so that a client that keeps calling does not cost a statement per call. */
const believedMs = 1_000;

/**
 * Per-minute allowances shared by all processes. A process leases some calls of a client at a time: one at first, then
 * twice as many whenever they were not enough, up to a twentieth of the minute. Unused calls are returned with the next
 * lease.
 */
export function createAllowances(leaseFrom: LeaseFrom, options: AllowanceOptions = {}): Allowances {
  const { maxClients = 10_000, now = () => performance.now() } = options;
  const accounts = lruCache<string, Account>(maxClients);
  const accountOf = ({ client, perMinute }: Asked): Account => {
    const known = accounts.get(client);
    if (known?.perMinute === perMinute) return known;
    const made = openAccount(leaseFrom, { client, perMinute }, now);
    accounts.set(client, made);
    return made;
  };
  return {
    async take(asked) {
      const all = asked.map(accountOf);
      for (;;) {
        const empty = all.filter((account) => !account.hasCall());
        const waitMs = Math.max(0, ...empty.map((account) => account.refusedMs()));
        if (empty.length === 0) for (const account of all) account.takeCall();
        if (empty.length === 0 || waitMs > 0) {
          const least = all.map((account) => account.left()).reduce((a, b) => (b.left < a.left ? b : a));
          return { waitSeconds: waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : 0, least };
        }
        await Promise.all(empty.map((account) => account.lease()));
      }
    },
    get size() {
      return accounts.size;
    },
  };
}

interface Account {
  readonly perMinute: number;
  hasCall(): boolean;
  takeCall(): void;
  /** How long calls are rejected while that is cached; otherwise 0. */
  refusedMs(): number;
  left(): Left;
  lease(): Promise<void>;
}

function openAccount(leaseFrom: LeaseFrom, { client, perMinute }: Asked, now: () => number): Account {
  let lease: CallLease = { slot: 0, granted: 0, left: perMinute, validMs: 0, waitMs: 60_000 };
  let askedAt = now();
  let answeredAt = askedAt;
  let calls = 0;
  let waiting = 0;
  let size = 1;
  let running: Promise<void> | null = null;
  const isValid = () => now() - askedAt < lease.validMs;
  const renew = async (): Promise<void> => {
    const isSameSlot = isValid();
    size = isSameSlot ? Math.min(size * 2, Math.ceil(perMinute / 20)) : 1;
    const unused = { slot: lease.slot, calls };
    calls = 0;
    // The lease began before its answer arrived, so it is assumed to end a little early, never late.
    askedAt = now();
    lease = await leaseFrom({ client, perMinute, wanted: Math.max(size, waiting), unused });
    answeredAt = now();
    calls = lease.granted;
  };
  return {
    perMinute,
    hasCall: () => calls > 0 && isValid(),
    takeCall: () => {
      calls--;
    },
    refusedMs: () => {
      const isRefused = answeredAt > askedAt && lease.granted === 0;
      return isRefused && now() - answeredAt < believedMs ? Math.max(1, lease.waitMs - (now() - askedAt)) : 0;
    },
    left: () => ({
      perMinute,
      left: lease.left + calls,
      resetSeconds: Math.max(0, Math.ceil((lease.waitMs - (now() - askedAt)) / 1_000)),
    }),
    lease: async () => {
      waiting++;
      running ??= renew().finally(() => {
        running = null;
      });
      try {
        await running;
      } finally {
        waiting--;
      }
    },
  };
}
