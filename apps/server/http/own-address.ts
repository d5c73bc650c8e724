import type { FastifyRequest } from 'fastify';

/**
 * The address under which this request found the server, according to its headers; empty if unknown. Anybody can send any headers:
 * use it only in answers to the same user, never in mail.
 */
export function ownAddress(request: FastifyRequest): string {
  try {
    return new URL(`${request.protocol}://${request.host}`).origin;
  } catch {
    return '';
  }
}
