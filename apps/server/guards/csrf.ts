import { isSameSecret } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import type { Caller } from './authenticate.ts';

/** A browser sends the cookie by itself, so a session must also show the token; a key is never sent by itself. */
export function checkCsrf(caller: Caller, given: unknown): void {
  if (caller.kind === 'apikey') return;
  if (typeof given !== 'string' || !isSameSecret(given, caller.csrf)) throw new KontorError('CSRF_INVALID');
}
