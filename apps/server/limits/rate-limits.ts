import { isIPv6 } from 'node:net';
import type { Kernel } from '@kontor/kernel';
import { takeLoginToken } from '@kontor/parts';
import { KontorError, lruCache } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';

export interface RateLimits {
  /** Throws RATE_LIMITED when the client has used up its minute; `/api/rpc` and `/web/login` take from the same. */
  rpc(client: string): void;
  /** For `/web/login`, counted in the database as well: several processes are no several tries. */
  login(client: string): Promise<void>;
}

export function createRateLimits({ config, database }: Kernel): RateLimits {
  const perMinute = config.rateLimitRpm;
  if (perMinute === 0) return { rpc: () => {}, login: async () => {} };
  const buckets = createTokenBuckets({ perMinute });
  return {
    rpc: (client) => refuseFor(buckets.take(client)),
    login: async (client) => {
      refuseFor(buckets.take(client));
      refuseFor(await takeLoginToken(database.urgent, client, perMinute));
    },
  };
}

function refuseFor(seconds: number): void {
  if (seconds > 0) throw new KontorError('RATE_LIMITED', undefined, { retry_after: seconds });
}

interface TokenBuckets {
  /** Takes one request from a client's allowance. Returns 0, or the seconds after which to try again. */
  take(client: string): number;
  readonly size: number;
}

interface BucketOptions {
  readonly perMinute: number;
  /** Clients remembered at once; past it the one that was quiet for longest is forgotten. */
  readonly maxClients?: number;
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A minute's allowance per client that fills up evenly; a client may use it all at once. Of this process alone. */
export function createTokenBuckets({ perMinute, maxClients = 10_000, now = Date.now }: BucketOptions): TokenBuckets {
  const buckets = lruCache<string, Bucket>(maxClients);
  const perMs = perMinute / 60_000;

  return {
    take(client) {
      const at = now();
      const known = buckets.get(client);
      const tokens = known ? Math.min(perMinute, known.tokens + (at - known.at) * perMs) : perMinute;
      const isAllowed = tokens >= 1;
      buckets.set(client, { tokens: isAllowed ? tokens - 1 : tokens, at });
      return isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
    },
    get size() {
      return buckets.size;
    },
  };
}

/** Whose allowance a request uses: the person's, by session or by any of their keys, else that of the address it came from. */
export function clientOf(caller: Caller | null, request: FastifyRequest): string {
  if (caller) return `user:${caller.actor.uid}`;
  return `address:${network(request.ip)}`;
}

/** One host has 2^64 addresses of version 6 to try from, so its network counts. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.toLowerCase().split('%', 1)[0] as string;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped) return mapped[1] as string;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const filler = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...filler, ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
