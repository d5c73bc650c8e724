import type { Readable } from 'node:stream';
import {
  type Kernel,
  type RouteAnswer,
  type RouteAuth,
  type RouteMethod,
  type RouteRequest,
  type RouteSpec,
  systemActor,
} from '@kontor/kernel';
import { type Env, toJson, typedEnv } from '@kontor/orm';
import { watchReads } from '@kontor/parts';
import { accessDenied, KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendUnserved } from '../answers/answer-error.ts';
import { noteChange } from '../answers/answer-post.ts';
import type { Shell } from '../answers/send-shell.ts';
import { type Caller, checkCsrf, findCaller, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { createRouteTable, type RouteMatch } from '../http/addon-route-table.ts';
import { addCookie, isSecureRequest, readCookies, writeCookie } from '../http/cookies.ts';
import { isJsonType } from '../http/envelope.ts';
import { readFields, readJsonBody } from '../http/fields.ts';
import { onceAtRest } from '../http/once-at-rest.ts';
import { anyPath, type ServedPaths } from '../http/served-paths.ts';
import { clientOf, type RateLimits } from '../limits/rate-limits.ts';

const maxBody = 4_000_000;
const maxLargeBody = 30_000_000;

/**
 * Everything that the kernel does not serve itself: routes of active modules, otherwise 405 or 404. The framework's
 * routes are fixed once it listens, so the routes of addons have their own table behind one wildcard.
 */
export function addonRoutes(server: FastifyInstance, shell: Shell, served: ServedPaths, limits: RateLimits): void {
  const { kernel } = shell;
  const table = createRouteTable(kernel, served);
  const reads = watchReads(kernel.database);
  const allowedAt = (url: string): readonly string[] => {
    const own = served.methodsOf(url);
    return own.length > 0 ? own : table.methodsOf(url);
  };
  onceAtRest(server, table.open);
  server.addHook('onClose', async () => table.close());
  // Before a body is read: an unserved path does not wait for one.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) return sendUnserved(shell, { request, reply }, allowedAt(request.url));
  });
  server.register(async (scope) => {
    const matches = new WeakMap<object, RouteMatch>();
    const callers = new WeakMap<object, Caller | 'nobody'>();
    scope.addContentTypeParser('*', (request: FastifyRequest, body: Readable) =>
      readBytes(body, Math.min(maxLargeBody, matches.get(request)?.spec.largeBody?.bytes ?? maxBody)),
    );
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: anyPath,
      bodyLimit: maxBody,
      onRequest: async (request, reply) => {
        const isOurs = served.methodsOf(request.url).length > 0;
        const match = isOurs ? null : table.find(request.method, request.url);
        if (!match) return sendUnserved(shell, { request, reply }, allowedAt(request.url));
        request.addonRoute = match.spec.path;
        matches.set(request, match);
        // The caller is anonymous: a secret in a public URL must not be guessable.
        if (match.spec.auth === 'none') await limits.client(clientOf(null, request));
        await limitRoute(limits, match.spec, request);
        if (!match.spec.largeBody) return;
        const caller = await routeCaller(kernel, match.spec.auth, request, reply);
        if (caller === null) return reply;
        callers.set(request, caller);
        await admitBody(kernel, match, caller, request);
      },
      handler: async (request, reply) => {
        const match = matches.get(request) as RouteMatch;
        const caller = callers.get(request) ?? (await routeCaller(kernel, match.spec.auth, request, reply));
        if (caller === null) return reply;
        if (caller !== 'nobody') await limits.keyed(caller, reply);
        const answer = await runRoute(kernel, match, caller, request, reply);
        if (answer.printed && caller !== 'nobody') await reads.printed(originOf(request, caller), answer.printed);
        if (answer.exported && caller !== 'nobody') {
          const { model, ids } = answer.exported;
          await reads.exported(originOf(request, caller), { model, asked: { path: match.spec.path, ids } });
        }
        if (answer.cookie && match.spec.cookie) setCookie(kernel, match.spec.cookie, answer.cookie, { request, reply });
        return sendAnswer(reply, answer);
      },
    });
  });
}

async function limitRoute(limits: RateLimits, { path, perMinute }: RouteSpec, request: FastifyRequest): Promise<void> {
  if (perMinute === undefined) return;
  const name = `${path.slice(-60)} ${clientOf(null, request)}`;
  if (await limits.isWithin(name, perMinute)) return;
  throw new KontorError('RATE_LIMITED', undefined, { retry_after: 60 });
}

/** Only callers whom the route admits may send a large body: others would fill the memory. */
async function admitBody(
  kernel: Kernel,
  match: RouteMatch,
  caller: Caller | 'nobody',
  request: FastifyRequest,
): Promise<void> {
  const given = toRouteRequest(match, request);
  const actor = caller === 'nobody' ? systemActor : caller.actor;
  const admits = async (env: Env) => match.spec.largeBody?.admits({ ...given, env: typedEnv(env) });
  await kernel.read(actor, admits, { isGuarded: true });
}

/** Declared or not, a body ends at the limit of its route. */
async function readBytes(body: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The stream is kept after an error: its sender still reads the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new KontorError('PAYLOAD_TOO_LARGE', `The body has more than ${most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const readOnlyTransaction = '25006';

/** Runs an addon's handler as the caller: in one transaction if it may change something. */
async function runRoute(
  kernel: Kernel,
  match: RouteMatch,
  caller: Caller | 'nobody',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RouteAnswer> {
  const { handler, method } = match.spec;
  const given = toRouteRequest(match, request);
  if (caller !== 'nobody' && method !== 'GET') checkCsrf(caller, givenCsrf(request, fieldsOf(given.body)));
  if (given.cookie && method !== 'GET') checkOwnSite(given.headers);
  const actor = caller === 'nobody' ? systemActor : caller.actor;
  const run = async (env: Env) => handler({ ...given, env: typedEnv(env) });
  if (method === 'GET') return kernel.read(actor, run, { isGuarded: true }).catch(asMistake);
  const work = await kernel.transact(actor, run, {
    requestId: request.id,
    address: request.ip,
    via: caller === 'nobody' ? null : originOf(request, caller).via,
  });
  if (caller !== 'nobody') await noteChange(kernel, caller, reply, work);
  return work.result;
}

/** Another site can make a browser send a GET, so a GET must not change anything; a handler that tries is wrong. */
function asMistake(error: unknown): never {
  const { cause } = error as { cause?: { code?: unknown } };
  if (cause?.code !== readOnlyTransaction) throw error;
  throw new TypeError('A route with GET tried to change records; use POST, PUT, PATCH or DELETE.');
}

function toRouteRequest({ params, spec }: RouteMatch, request: FastifyRequest): Omit<RouteRequest, 'env'> {
  return {
    method: request.method as RouteMethod,
    path: request.url.split('?', 1)[0] as string,
    params: { ...params },
    query: { ...(request.query as RouteRequest['query']) },
    body: routeBody(request),
    bytes: Buffer.isBuffer(request.body) ? request.body : null,
    headers: headersFor(request, spec.auth !== 'none'),
    cookie: spec.cookie ? (readCookies(request.headers.cookie).get(spec.cookie.name) ?? null) : null,
    lang: request.words.lang,
  };
}

/** Credentials are removed; a public route gets the header by which it may authenticate its caller itself. */
function headersFor(request: FastifyRequest, isKnown: boolean): Readonly<Record<string, string>> {
  const { cookie, 'x-api-key': _key, 'x-csrf-token': _token, authorization, ...rest } = request.headers;
  const headers = isKnown || authorization === undefined ? rest : { ...rest, authorization };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? (body as Record<string, unknown>) : {};
}

/** The body for the handler: JSON parsed, a form as its fields, text as text, anything else as bytes. */
function routeBody(request: FastifyRequest): unknown {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  const type = request.headers['content-type'] ?? '';
  if (isJsonType(type)) return readJsonBody(body);
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return readFields(request);
  return /^text\//i.test(type) ? body.toString('utf8') : body;
}

/** The caller that the route's mode admits; `nobody` for a public one. Null: the answer was sent. */
async function routeCaller(
  kernel: Kernel,
  auth: RouteAuth,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | 'nobody' | null> {
  if (auth === 'none') return 'nobody';
  if (auth === 'session') return signedIn(kernel, request, reply);
  if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
  const caller = await findCaller(kernel, request);
  if (caller?.kind !== 'apikey') throw new KontorError('UNAUTHORIZED', 'Send an API key.');
  request.caller = caller;
  // A scope names models and methods; a route is neither, and may do anything the owner may. Changes by an agent there
  // could be neither held nor marked.
  if (caller.scope !== null || caller.agent) {
    throw accessDenied('route', 'read', 'model', { message: 'This API key is limited to calls of /api/rpc.' });
  }
  return caller;
}

/** Browsers say where a post comes from. They do not send the cookie with those of other sites either. */
function checkOwnSite({ 'sec-fetch-site': site, origin, host }: RouteRequest['headers']): void {
  // The origin of a page that tells nobody its address is sent as null, so it decides only for browsers that say nothing else.
  const isOwn = site === undefined ? (origin?.replace(/^https?:\/\//, '') ?? host) === host : site === 'same-origin';
  if (!isOwn) throw new KontorError('CSRF_INVALID');
}

function setCookie(
  { config }: Kernel,
  { name, path }: NonNullable<RouteSpec['cookie']>,
  { value, maxAgeSeconds }: NonNullable<RouteAnswer['cookie']>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void {
  if (!/^[\w-]*$/.test(value)) throw new TypeError('A cookie has letters, digits, _ and -.');
  addCookie(reply, writeCookie(name, value, { isSecure: isSecureRequest(config, request), maxAgeSeconds, path }));
}

/** Text and bytes unchanged, anything else as JSON. */
function sendAnswer(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  const { status = 200, headers = {}, body } = answer;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('A route answers with a status from 200 to 599.');
  reply.code(status);
  if (typeof body === 'string') reply.type('text/plain; charset=utf-8');
  else if (body instanceof Uint8Array) reply.type('application/octet-stream');
  else if (body !== undefined && body !== null) reply.type('application/json; charset=utf-8');
  reply.headers({ ...headers });
  if (body === undefined || body === null) return reply.send();
  if (typeof body === 'string') return reply.send(body);
  return reply.send(body instanceof Uint8Array ? Buffer.from(body) : toJson(body));
}
