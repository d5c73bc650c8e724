import type { Config } from '@kontor/kernel';
import type { FastifyRequest } from 'fastify';

/** Whether cookies of this answer are for TLS only; a trusted proxy may say that it was. */
export function isSecureRequest(config: Config, request: FastifyRequest): boolean {
  return config.secureCookies === 'auto' ? request.protocol === 'https' : config.secureCookies;
}
