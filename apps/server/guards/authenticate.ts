import type { Kernel } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { csrfToken, findApiKey, findSession, type KeyScope } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';
import { readCookies } from '../http/cookies.ts';

export const sessionCookie = 'svc_session';

/** Who stands behind a request. */
export type Caller = BySession | ByKey;

interface KnownCaller {
  readonly actor: Actor;
  /** WAL position of their last change; a replica that has not replayed it is not asked. */
  readonly lastWrite: string | null;
}
interface BySession extends KnownCaller {
  readonly kind: 'session';
  readonly sessionId: number;
  readonly token: string;
  readonly csrf: string;
}
interface ByKey extends KnownCaller {
  readonly kind: 'apikey';
  readonly keyId: number;
  readonly scope: KeyScope | null;
}

/** A request that carries a key is judged by the key alone; otherwise the session counts. Null: nobody. */
export async function findCaller(kernel: Kernel, request: FastifyRequest): Promise<Caller | null> {
  const key = givenKey(request);
  if (key !== null) return callerByKey(kernel, key);
  const token = readCookies(request.headers.cookie).get(sessionCookie);
  return token === undefined ? null : callerBySession(kernel, token);
}

export async function authenticate(kernel: Kernel, request: FastifyRequest): Promise<Caller> {
  const caller = await findCaller(kernel, request);
  if (!caller) throw new KontorError('UNAUTHORIZED');
  return caller;
}

function givenKey(request: FastifyRequest): string | null {
  const { 'x-api-key': direct, authorization } = request.headers;
  if (direct !== undefined) return String(direct);
  // Other schemes are somebody else's: a proxy in front may ask for a password of its own.
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return null;
  return authorization.slice('Bearer'.length).trim();
}

async function callerByKey(kernel: Kernel, secret: string): Promise<Caller | null> {
  const key = await findApiKey(kernel, secret);
  const actor = key && (await kernel.actor(key.uid));
  return actor ? { kind: 'apikey', actor, keyId: key.id, scope: key.scope, lastWrite: key.lastWriteLsn } : null;
}

async function callerBySession(kernel: Kernel, token: string): Promise<Caller | null> {
  const { sessionIdleMinutes, sessionMaxDays } = kernel.config;
  const session = await findSession(kernel.database, token, {
    idleMinutes: sessionIdleMinutes,
    maxDays: sessionMaxDays,
  });
  const actor = session && (await kernel.actor(session.uid, session.companyId));
  if (!actor) return null;
  return {
    kind: 'session',
    actor,
    sessionId: session.id,
    token,
    csrf: csrfToken(token),
    lastWrite: session.lastWriteLsn,
  };
}
