import type { Kernel } from '@kontor/kernel';
import { takeLoginToken } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import { createTokenBuckets } from './token-buckets.ts';

export interface RateLimits {
  /** Throws RATE_LIMITED when the client has used up its minute at `/api/rpc`. */
  rpc(client: string): void;
  /** The same for `/web/login`, counted in the database: several processes are no several tries. */
  login(client: string): Promise<void>;
}

export function createRateLimits({ config, database }: Kernel): RateLimits {
  const perMinute = config.rateLimitRpm;
  if (perMinute === 0) return { rpc: () => {}, login: async () => {} };
  const buckets = createTokenBuckets({ perMinute });
  return {
    rpc: (client) => refuseFor(buckets.take(client)),
    login: async (client) => refuseFor(await takeLoginToken(database, client, perMinute)),
  };
}

function refuseFor(seconds: number): void {
  if (seconds > 0) throw new KontorError('RATE_LIMITED', undefined, { retry_after: seconds });
}
