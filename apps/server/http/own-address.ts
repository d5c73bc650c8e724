import type { Kernel } from '@kontor/kernel';
import { keepBaseAddress, readBaseAddress } from '@kontor/parts';
import type { FastifyRequest } from 'fastify';

/** The address under which this request found the server; empty when it does not say. */
export function ownAddress(request: FastifyRequest): string {
  try {
    return new URL(`${request.protocol}://${request.host}`).origin;
  } catch {
    return '';
  }
}

/** An administrator's browser knows where the server is; anybody else could name another host and be mailed to. */
export async function rememberAddress(kernel: Kernel, uid: number, request: FastifyRequest): Promise<void> {
  const actor = await kernel.actor(uid);
  const address = ownAddress(request);
  if (actor?.groups.has('base.group_system') && address !== '') await keepBaseAddress(kernel.database, address);
}

/** For links that go to somebody else than the one who asks. */
export async function publicAddress(kernel: Kernel, request: FastifyRequest): Promise<string> {
  return (await readBaseAddress(kernel.database)) ?? ownAddress(request);
}
