import type { Kernel, KeyScope } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { csrfToken, findApiKey, findSession, isSameSecret, type KeyAgent, type Origin } from '@kontor/parts';
import { accessDenied, KontorError, type Operation, type RpcRequest, text } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addCookie, isSecureRequest, readCookies, writeCookie } from '../http/cookies.ts';
import { wantsJson } from '../http/envelope.ts';
import type { Fields } from '../http/fields.ts';

export const sessionCookie = 'svc_session';

/** The caller of a request. */
export type Caller = BySession | ByKey;

interface KnownCaller {
  readonly actor: Actor;
  /** WAL position of their last change; a replica that has not replayed it is not used. */
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
  readonly agent: KeyAgent | null;
  /** Calls per minute of this key; null: the user's limit. */
  readonly rate: number | null;
}

/** A request with a key is authenticated only by the key; otherwise by the session. Null: nobody. */
export async function findCaller(kernel: Kernel, request: FastifyRequest): Promise<Caller | null> {
  const key = givenKey(request);
  if (key !== null) return callerByKey(kernel, key);
  const token = readCookies(request.headers.cookie).get(sessionCookie);
  return token === undefined ? null : callerBySession(kernel, token);
}

/** The browser that receives this answer is signed in with the session from now on. */
export function keepSession({ config }: Kernel, request: FastifyRequest, reply: FastifyReply, token: string): void {
  const maxAgeSeconds = config.sessionMaxDays * 86_400;
  addCookie(reply, writeCookie(sessionCookie, token, { isSecure: isSecureRequest(config, request), maxAgeSeconds }));
}

export async function authenticate(kernel: Kernel, request: FastifyRequest): Promise<Caller> {
  const caller = await findCaller(kernel, request);
  if (!caller) throw new KontorError('UNAUTHORIZED');
  return caller;
}

function givenKey(request: FastifyRequest): string | null {
  const { 'x-api-key': direct, authorization } = request.headers;
  if (direct !== undefined) return String(direct);
  // Other schemes are not ours: a proxy in front may require its own password.
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return null;
  return authorization.slice('Bearer'.length).trim();
}

async function callerByKey(kernel: Kernel, secret: string): Promise<Caller | null> {
  const key = await findApiKey(kernel, secret);
  const actor = key && (await kernel.actor(key.uid));
  if (!actor) return null;
  const { id: keyId, scope, agent, rate, lastWriteLsn: lastWrite } = key;
  return { kind: 'apikey', actor, keyId, scope, agent, rate, lastWrite };
}

async function callerBySession(kernel: Kernel, token: string): Promise<Caller | null> {
  const { sessionIdleMinutes, sessionMaxDays } = kernel.config;
  const session = await findSession(kernel.database.urgent, token, {
    idleMinutes: sessionIdleMinutes,
    maxDays: sessionMaxDays,
  });
  const actor = session && (await kernel.actor(session.uid, session.companyId, session.shownCompanyIds));
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

export type SessionCaller = Extract<Caller, { kind: 'session' }>;

/** The signed-in user. Programs get 401; people are redirected to sign in and come back. Null: the answer was sent. */
export async function signedIn(
  kernel: Kernel,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionCaller | null> {
  if (!(await kernel.isInitialised())) {
    if (wantsJson(request)) throw new KontorError('NOT_INITIALISED');
    reply.redirect('/setup', 302);
    return null;
  }
  const caller = await findCaller(kernel, request);
  if (caller?.kind === 'session') {
    request.caller = caller;
    return caller;
  }
  if (wantsJson(request)) throw new KontorError('UNAUTHORIZED');
  const back = request.method === 'GET' ? request.url : '/web/home';
  reply.redirect(`/web/login?next=${encodeURIComponent(back)}`, 302);
  return null;
}

/** The origin of a request, for change sets and the audit trail. */
export function originOf(request: FastifyRequest, caller: Caller): Origin {
  return { uid: caller.actor.uid, address: request.ip, via: wayOf(caller), requestId: request.id };
}

/** The audit trail stores it with every entry: the holder of an agent's key cannot omit its name. */
function wayOf(caller: Caller): string {
  if (caller.kind === 'session') return `session ${caller.sessionId}`;
  return caller.agent ? `key ${caller.keyId}, agent ${caller.agent.name}` : `key ${caller.keyId}`;
}

/** Names what it protects, like every error: the records and the operation. */
export function checkAdmin(caller: Caller, model: string, operation: Operation): void {
  if (caller.actor.groups.has('base.group_system')) return;
  throw accessDenied(model, operation, 'model', { message: text('This is for administrators.') });
}

/**
 * A browser sends the cookie automatically, so a session must also send the token; a key is never sent automatically.
 */
export function checkCsrf(caller: Caller, given: unknown): void {
  if (caller.kind === 'apikey') return;
  if (typeof given !== 'string' || !isSameSecret(given, caller.csrf)) throw new KontorError('CSRF_INVALID');
}

/** Forms carry the token in a field, programs in a header. */
export function givenCsrf(request: FastifyRequest, fields: Fields): unknown {
  return request.headers['x-csrf-token'] ?? fields.csrf_token;
}

/** Facts about a request, for the log and the metrics; each is set as soon as it is known. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its errors use the envelope, unless the caller asks for a page. */
    isDownload?: boolean;
  }
  interface FastifyRequest {
    caller?: Caller | undefined;
    rpc?: Pick<RpcRequest, 'model' | 'method'> | undefined;
    /** The path of the addon route that answers, as declared. */
    addonRoute?: string | undefined;
    /** Error code of the answer. */
    failure?: string | undefined;
    /** The internal error; only for the log. */
    cause?: unknown;
  }
}

export function decorateRequests(server: FastifyInstance): void {
  for (const name of ['caller', 'rpc', 'addonRoute', 'failure', 'cause']) server.decorateRequest(name, undefined);
}
