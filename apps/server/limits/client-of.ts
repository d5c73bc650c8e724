import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';

/** Whose allowance a request uses: the key's, else the user's, else that of the address it came from. */
export function clientOf(caller: Caller | null, request: FastifyRequest): string {
  if (caller?.kind === 'apikey') return `key:${caller.keyId}`;
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
