import type { Config } from '@kontor/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies of a request. The first of a repeated name counts, as browsers send the more specific one first. */
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

/** Every cookie of ours is out of reach of scripts and of other sites' posts. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, 'HttpOnly', 'SameSite=Lax', `Path=${options.path ?? '/'}`];
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`);
  if (options.isSecure) parts.push('Secure');
  return parts.join('; ');
}

/** Whether cookies of this answer are for TLS only; a trusted proxy may say that it was. */
export function isSecureRequest(config: Config, request: FastifyRequest): boolean {
  return config.secureCookies === 'auto' ? request.protocol === 'https' : config.secureCookies;
}

/** A message for the next page, shown once. `secret` holds what cannot be shown again. */
export interface Toast {
  readonly kind: 'success' | 'error' | 'info' | 'secret';
  readonly title: string;
  readonly body: string;
}

const cookie = 'svc_flash';
const twoMinutes = 120;

export function setFlash(reply: FastifyReply, toast: Toast, isSecure: boolean): void {
  const value = Buffer.from(JSON.stringify(toast)).toString('base64url');
  addCookie(reply, writeCookie(cookie, value, { isSecure, maxAgeSeconds: twoMinutes }));
}

/** Reads the message and takes the cookie away with the same answer. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Toast | null {
  const value = readCookies(request.headers.cookie).get(cookie);
  if (value === undefined) return null;
  addCookie(reply, writeCookie(cookie, '', { isSecure, maxAgeSeconds: 0 }));
  try {
    return toToast(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

export function addCookie(reply: FastifyReply, value: string): void {
  const known = reply.getHeader('set-cookie');
  const list = known === undefined ? [] : Array.isArray(known) ? known : [String(known)];
  reply.header('set-cookie', [...list, value]);
}

function toToast(value: unknown): Toast | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, title, body } = value as Record<string, unknown>;
  if (typeof title !== 'string' || typeof body !== 'string') return null;
  return { kind: kind === 'secret' || kind === 'error' || kind === 'info' ? kind : 'success', title, body };
}
