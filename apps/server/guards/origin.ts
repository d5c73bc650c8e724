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
    const theirs = new URL(origin);
    // A proxy that ends TLS and is not trusted hides it from us, so TLS where we see none is fine; the reverse is not.
    const isDowngrade = request.protocol === 'https' && theirs.protocol !== 'https:';
    return !isDowngrade && theirs.host === new URL(`${theirs.protocol}//${request.host}`).host;
  } catch {
    return false;
  }
}
