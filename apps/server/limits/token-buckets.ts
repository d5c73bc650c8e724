import { lruCache } from '@kontor/protocol';

export interface TokenBuckets {
  /** Takes one request from a client's allowance. Returns 0, or the seconds after which to try again. */
  take(client: string): number;
  readonly size: number;
}

export interface BucketOptions {
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
