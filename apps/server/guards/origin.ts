import { KontorError } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';

/** Before a session exists there is no token to show, so a post from another site is known by its Origin. */
export function checkOwnOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!isOwnOrigin(origin, request)) throw new KontorError('ACCESS_DENIED', 'This request came from another site.');
}

export function isOwnOrigin(origin: string, request: FastifyRequest): boolean {
  try {
    return new URL(origin).host === new URL(`${request.protocol}://${request.host}`).host;
  } catch {
    return false;
  }
}
