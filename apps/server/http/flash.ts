import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookies, writeCookie } from './cookies.ts';

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
