import { isIPv6 } from 'node:net';
import type { Kernel } from '@kontor/kernel';
import { leaseCalls } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';
import { type Asked, createAllowances } from './allowances.ts';

export interface RateLimits {
  /** Throws RATE_LIMITED if the client has used up its minute; `/api/rpc` and `/web/login` share one allowance. */
  client(client: string): Promise<void>;
  /** A call of `/api/rpc`: the same, and a key with its own rate also uses that. The answer contains what is left. */
  call(caller: Caller | null, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Other requests with a key use only its own rate. */
  keyed(caller: Caller, reply: FastifyReply): Promise<void>;
  /** Takes one from a separate allowance of that many per minute; false if none is left. */
  isWithin(client: string, perMinute: number): Promise<boolean>;
  /** Sign-in requests count for their IP address: a session must not allow more tries. */
  login(request: FastifyRequest): Promise<void>;
  /** State is stored for an anonymous caller: limited per minute and IP address, whatever is configured. */
  stranger(request: FastifyRequest): Promise<void>;
}

export function createRateLimits({ config, database }: Kernel): RateLimits {
  const perMinute = config.rateLimitRpm;
  const allowances = createAllowances((request) => leaseCalls(database.urgent, request));
  const client = async (name: string): Promise<void> => {
    if (perMinute > 0) refuseFor((await allowances.take([{ client: name, perMinute }])).waitSeconds);
  };
  const takeAll = async (asked: readonly Asked[], reply: FastifyReply): Promise<void> => {
    if (asked.length === 0) return;
    const { waitSeconds, least } = await allowances.take(asked);
    reply.headers({
      'ratelimit-limit': String(least.perMinute),
      'ratelimit-remaining': String(least.left),
      'ratelimit-reset': String(least.resetSeconds),
    });
    refuseFor(waitSeconds);
  };
  return {
    client,
    call: (caller, request, reply) => {
      const own = ownRate(caller);
      return takeAll(perMinute > 0 ? [...own, { client: clientOf(caller, request), perMinute }] : own, reply);
    },
    keyed: (caller, reply) => takeAll(ownRate(caller), reply),
    isWithin: async (name, most) => (await allowances.take([{ client: name, perMinute: most }])).waitSeconds === 0,
    login: (request) => client(clientOf(null, request)),
    stranger: async (request) => {
      const asked = { client: `steps ${clientOf(null, request)}`, perMinute: strangerSteps };
      refuseFor((await allowances.take([asked])).waitSeconds);
    },
  };
}

const strangerSteps = 60;

function refuseFor(seconds: number): void {
  if (seconds > 0) throw new KontorError('RATE_LIMITED', undefined, { retry_after: seconds });
}

const none: readonly Asked[] = [];

function ownRate(caller: Caller | null): readonly Asked[] {
  if (caller?.kind !== 'apikey' || caller.rate === null) return none;
  return [{ client: `key:${caller.keyId}`, perMinute: caller.rate }];
}

/** Whose allowance a request uses: the user's, by session or any of their keys, otherwise that of its IP address. */
export function clientOf(caller: Caller | null, request: FastifyRequest): string {
  if (caller) return `user:${caller.actor.uid}`;
  return `address:${network(request.ip)}`;
}

/** A host can use 2^64 IPv6 addresses, so its network counts. */
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
