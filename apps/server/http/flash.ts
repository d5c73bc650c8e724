import type { Kernel } from '@kontor/kernel';
import { beginStep, newSecret, openSecret, sealSecret, takeStep } from '@kontor/parts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addCookie, isSecureRequest, readCookies, writeCookie } from './cookies.ts';

/** A message for the next page, shown once. `secret` holds what cannot be shown again. */
export interface Toast {
  readonly kind: 'success' | 'error' | 'info' | 'secret';
  readonly title: string;
  readonly body: string;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const cookie = 'svc_flash';
const minutes = 2;
/** Before the token of a secret. */
const kept = 'once.';

export function setFlash({ config }: Pick<Kernel, 'config'>, exchange: Exchange, toast: Toast): void {
  setCookie(config, exchange, Buffer.from(JSON.stringify(toast)).toString('base64url'));
}

/**
 * The cookie names a secret that is shown once, to the user who requested it. Until then the database stores it
 * encrypted with a key that only the cookie contains.
 */
export async function setSecretFlash(
  { config, database }: Kernel,
  exchange: Exchange,
  uid: number,
  toast: Omit<Toast, 'kind'>,
): Promise<void> {
  const key = newSecret();
  const data = { sealed: sealSecret(key, JSON.stringify({ ...toast, kind: 'secret' })) };
  const token = await beginStep(database, { kind: 'secret', uid, data, minutes });
  setCookie(config, exchange, `${kept}${token}.${key}`);
}

/** Reads the message and deletes the cookie with the same answer. Only the user `uid` sees their secret. */
export async function takeFlash(kernel: Kernel, exchange: Exchange, uid: number | null): Promise<Toast | null> {
  const value = readCookies(exchange.request.headers.cookie).get(cookie);
  if (value === undefined) return null;
  const isSecure = isSecureRequest(kernel.config, exchange.request);
  addCookie(exchange.reply, writeCookie(cookie, '', { isSecure, maxAgeSeconds: 0 }));
  if (value.startsWith(kept)) return uid === null ? null : takeSecret(kernel, value.slice(kept.length), uid);
  const toast = toToast(Buffer.from(value, 'base64url').toString('utf8'));
  return toast?.kind === 'secret' ? null : toast;
}

async function takeSecret({ database }: Kernel, value: string, uid: number): Promise<Toast | null> {
  const [token = '', key = ''] = value.split('.');
  const step = await takeStep(database, 'secret', token);
  if (step?.uid !== uid) return null;
  const opened = openSecret(key, String(step.data.sealed));
  return opened === null ? null : toToast(opened);
}

function setCookie(config: Kernel['config'], { request, reply }: Exchange, value: string): void {
  addCookie(
    reply,
    writeCookie(cookie, value, { isSecure: isSecureRequest(config, request), maxAgeSeconds: minutes * 60 }),
  );
}

function toToast(json: string): Toast | null {
  try {
    const { kind, title, body } = JSON.parse(json) as Record<string, unknown>;
    if (typeof title !== 'string' || typeof body !== 'string') return null;
    return { kind: kind === 'secret' || kind === 'error' || kind === 'info' ? kind : 'success', title, body };
  } catch {
    return null;
  }
}
