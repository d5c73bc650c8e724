import { isIPv6 } from 'node:net';
import type { Kernel } from '@kontor/kernel';
import { takeLoginToken } from '@kontor/parts';
import { KontorError, lruCache } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';

export interface RateLimits {
  /** Throws RATE_LIMITED when the client has used up its minute; `/api/rpc` and `/web/login` take from the same. */
  rpc(client: string): void;
  /** A call of `/api/rpc`: the same, and by a key that has a rate of its own also from that. The answer tells what is left. */
  call(caller: Caller | null, request: FastifyRequest, reply: FastifyReply): void;
  /** Whatever else a key opens takes from its own rate alone. */
  keyed(caller: Caller, reply: FastifyReply): void;
  /** For `/web/login`, counted in the database as well: several processes are no several tries. */
  login(client: string): Promise<void>;
}

export function createRateLimits({ config, database }: Kernel): RateLimits {
  const perMinute = config.rateLimitRpm;
  const buckets = createTokenBuckets();
  const take = (client: string): void => {
    if (perMinute > 0) refuseFor(buckets.take(client, perMinute));
  };
  return {
    rpc: take,
    call: (caller, request, reply) => {
      const own = ownRate(caller);
      const asked = perMinute > 0 ? [...own, { client: clientOf(caller, request), perMinute }] : own;
      takeAll(buckets, asked, reply);
    },
    keyed: (caller, reply) => takeAll(buckets, ownRate(caller), reply),
    login: async (client) => {
      if (perMinute === 0) return;
      take(client);
      refuseFor(await takeLoginToken(database.urgent, client, perMinute));
    },
  };
}

function refuseFor(seconds: number): void {
  if (seconds > 0) throw new KontorError('RATE_LIMITED', undefined, { retry_after: seconds });
}

interface Asked {
  readonly client: string;
  readonly perMinute: number;
}

const none: readonly Asked[] = [];

function ownRate(caller: Caller | null): readonly Asked[] {
  if (caller?.kind !== 'apikey' || caller.rate === null) return none;
  return [{ client: `key:${caller.keyId}`, perMinute: caller.rate }];
}

/** One call from each allowance, or from none: what one refuses must not cost the other. Told is the one that has least left. */
function takeAll(buckets: TokenBuckets, asked: readonly Asked[], reply: FastifyReply): void {
  if (asked.length === 0) return;
  const wait = Math.max(...asked.map(({ client, perMinute }) => buckets.wait(client, perMinute)));
  if (wait === 0) for (const { client, perMinute } of asked) buckets.take(client, perMinute);
  const left = asked.map(({ client, perMinute }) => ({ perMinute, tokens: buckets.left(client, perMinute) }));
  const { perMinute, tokens } = left.reduce((least, one) => (one.tokens < least.tokens ? one : least));
  reply.headers({
    'ratelimit-limit': String(perMinute),
    'ratelimit-remaining': String(Math.floor(tokens)),
    'ratelimit-reset': String(Math.ceil(((perMinute - tokens) * 60) / perMinute)),
  });
  refuseFor(wait);
}

interface TokenBuckets {
  /** Takes one request from a client's allowance. Returns 0, or the seconds after which to try again. */
  take(client: string, perMinute: number): number;
  /** What `take` would return. */
  wait(client: string, perMinute: number): number;
  /** How much of a client's allowance is left. */
  left(client: string, perMinute: number): number;
  readonly size: number;
}

interface BucketOptions {
  /** Clients remembered at once; past it the one that was quiet for longest is forgotten. */
  readonly maxClients?: number;
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A minute's allowance per client that fills up evenly; a client may use it all at once. Of this process alone. */
export function createTokenBuckets({ maxClients = 10_000, now = Date.now }: BucketOptions = {}): TokenBuckets {
  const buckets = lruCache<string, Bucket>(maxClients);
  const left = (client: string, perMinute: number): number => {
    const known = buckets.get(client);
    return known ? Math.min(perMinute, known.tokens + ((now() - known.at) * perMinute) / 60_000) : perMinute;
  };
  const waitFor = (tokens: number, perMinute: number): number =>
    tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));

  return {
    take(client, perMinute) {
      const tokens = left(client, perMinute);
      buckets.set(client, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now() });
      return waitFor(tokens, perMinute);
    },
    wait: (client, perMinute) => waitFor(left(client, perMinute), perMinute),
    left,
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
