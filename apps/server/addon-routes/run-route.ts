import { type Kernel, type RouteAnswer, type RouteMethod, type RouteRequest, systemActor } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';
import { checkCsrf } from '../guards/csrf.ts';
import { givenCsrf } from '../http/given-csrf.ts';
import { noteChange } from '../http/note-change.ts';
import { routeBody } from './route-body.ts';
import type { RouteMatch } from './route-table.ts';

const readOnlyTransaction = '25006';

/** Runs an addon's handler in the caller's name: in one transaction when it may change something. */
export async function runRoute(
  kernel: Kernel,
  match: RouteMatch,
  caller: Caller | 'nobody',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RouteAnswer> {
  const { handler, method } = match.spec;
  const given = toRouteRequest(match, request);
  if (caller !== 'nobody' && method !== 'GET') checkCsrf(caller, givenCsrf(request, fieldsOf(given.body)));
  const actor = caller === 'nobody' ? systemActor : caller.actor;
  const run = async (env: Env) => handler({ ...given, env: typedEnv(env) });
  if (method === 'GET') return kernel.read(actor, run, { isGuarded: true }).catch(asMistake);
  const { result, changeSet } = await kernel.transact(actor, run, { requestId: request.id });
  if (changeSet !== null && caller !== 'nobody') await noteChange(kernel, caller, reply, changeSet);
  return result;
}

/** Another site can make a browser send a GET, so none may change anything; a handler that tries is wrong. */
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
    headers: headersFor(request, spec.auth !== 'none'),
  };
}

/** Credentials have done their work; a public route gets the header by which it may know its caller itself. */
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
