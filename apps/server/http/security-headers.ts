import { randomUUID } from 'node:crypto';
import type { Config } from '@kontor/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** The nonce of this answer's Content-Security-Policy, which inline scripts and styles carry. */
    nonce: string;
  }
}

/** Set on every answer, including errors. */
export function securityHeaders(server: FastifyInstance, { mapTiles }: Pick<Config, 'mapTiles'>): void {
  const tiles = mapTiles === '' ? '' : ` ${new URL(mapTiles).origin}`;
  server.decorateReply('nonce', '');
  server.addHook('onRequest', (_request, reply, done) => {
    setSecurityHeaders(reply, tiles);
    done();
  });
}

/** `tiles` is where a map may load images from, with a space before it. */
export function setSecurityHeaders(reply: FastifyReply, tiles = ''): void {
  // 122 random bits from a pool: asking the system for some with every answer would cost more.
  reply.nonce = randomUUID();
  reply.headers(securityHeaderValues(reply.nonce, tiles));
}

/** The headers themselves, for an answer that the framework does not write. */
export function securityHeaderValues(nonce: string, tiles = ''): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy(nonce, tiles),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'cache-control': 'no-store',
  };
}

function policy(nonce: string, tiles: string): string {
  return `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:${tiles}; ${alike}`;
}

/**
 * Headers of every answer. Frames show documents that the client itself created (the preview of a PDF, in the viewer of the browser) and the
 * pages that allow it: an e-mail with its pictures, in a sandbox.
 */
const alike = [
  "font-src 'self'",
  "frame-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
