import type { FastifyRequest } from 'fastify';

/**
 * The address under which this request says that it found the server; empty when it does not. Anybody can say anything there:
 * it is good for what the same person sees, never for what is mailed.
 */
export function ownAddress(request: FastifyRequest): string {
  try {
    return new URL(`${request.protocol}://${request.host}`).origin;
  } catch {
    return '';
  }
}
