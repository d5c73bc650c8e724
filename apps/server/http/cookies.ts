import type { Config } from '@kontor/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Parses the cookies of a request. The first of a repeated name counts, because browsers send the more specific one
 * first.
 */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

interface CookieOptions {
  readonly isSecure: boolean;
  readonly maxAgeSeconds?: number;
  readonly path?: string;
}

/** None of our cookies is accessible to scripts or sent with posts from other sites. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, 'HttpOnly', 'SameSite=Lax', `Path=${options.path ?? '/'}`];
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`);
  if (options.isSecure) parts.push('Secure');
  return parts.join('; ');
}

/** Whether cookies of this answer are restricted to TLS; a trusted proxy may report it. */
export function isSecureRequest(config: Config, request: FastifyRequest): boolean {
  return config.secureCookies === 'auto' ? request.protocol === 'https' : config.secureCookies;
}

export function addCookie(reply: FastifyReply, value: string): void {
  const known = reply.getHeader('set-cookie');
  const list = known === undefined ? [] : Array.isArray(known) ? known : [String(known)];
  reply.header('set-cookie', [...list, value]);
}
