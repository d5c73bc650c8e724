import { createHash } from 'node:crypto';
import { dispatch, type Kernel, type RpcAnswer, toRpcRequest } from '@kontor/kernel';
import { agentScope, callAsAgent, countRecords, type Origin, type ReadWatch, watchReads } from '@kontor/parts';
import { invalidArgs, KontorError, type RpcRequest } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteChange } from '../answers/answer-post.ts';
import { type Caller, checkCsrf, findCaller, originOf } from '../guards/authenticate.ts';
import { packed } from '../http/compression.ts';
import { isJsonType, okEnvelope } from '../http/envelope.ts';
import { readJsonBody } from '../http/fields.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { knownCall } from '../logging/request-log.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

export const maxRpcBytes = 4_000_000;

export interface RpcParts {
  readonly limits: RateLimits;
  readonly metrics: Metrics;
}

export function rpcRoutes(server: FastifyInstance, kernel: Kernel, { limits, metrics }: RpcParts): void {
  const reads = watchReads(kernel.database);
  /** Before the body is read, so that an anonymous caller cannot make the server buffer one. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await findCaller(kernel, request);
    request.caller = caller ?? undefined;
    await limits.call(caller, request, reply);
    if (!caller) throw new KontorError('UNAUTHORIZED');
    checkCsrf(caller, request.headers['x-csrf-token']);
    if (!isPlainJson(request)) throw new KontorError('UNSUPPORTED_MEDIA_TYPE');
  };

  server.post('/api/rpc', {
    bodyLimit: maxRpcBytes,
    onRequest: admit,
    onResponse: (request, reply, done) => {
      const { model, method } = knownCall(kernel, request);
      metrics.countRpc({ model, method, code: request.failure ?? 'OK', seconds: reply.elapsedTime / 1_000 });
      done();
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller;
      const call = toRpcRequest(readJsonBody(request.body));
      request.rpc = call;
      const origin = originOf(request, caller);
      const answer = await answerCall(kernel, caller, request, call);
      await noteChange(kernel, caller, reply, answer);
      if (answer.proposal !== null) reply.code(202);
      if (caller.kind === 'apikey' && caller.agent) reply.header('x-agent', encodeURIComponent(caller.agent.name));
      await noteRead(reads, origin, call, answer);
      const body = await packed(request, reply, okEnvelope(answer.json));
      return reply.type('application/json; charset=utf-8').send(body);
    },
  });
}

/** With the key of an agent the call may become a proposal. */
async function answerCall(
  kernel: Kernel,
  caller: Caller,
  request: FastifyRequest,
  call: RpcRequest,
): Promise<RpcAnswer & { readonly proposal: number | null }> {
  const { requestId, address, via } = originOf(request, caller);
  const { actor, lastWrite } = caller;
  const once = idempotency(request);
  if (caller.kind === 'session' || !caller.agent) {
    const scope = caller.kind === 'session' ? null : caller.scope;
    const known = { actor, scope, requestId, address, via, lastWrite, idempotency: once };
    const { json, changeSet, canUndo } = await dispatch(kernel, known, call);
    return { json, changeSet, canUndo, proposal: null };
  }
  const { keyId, agent } = caller;
  const known = { actor, scope: agentScope(caller.scope), requestId, address, via, lastWrite, idempotency: once };
  const { name, held, approverId = null } = agent;
  return callAsAgent(kernel, { ...known, keyId, agent: name, held, approverId }, call);
}

const reading: ReadonlySet<string> = new Set(['search', 'search_read', 'read']);

async function noteRead(reads: ReadWatch, origin: Origin, call: RpcRequest, { json }: RpcAnswer): Promise<void> {
  const { model, method, args, kwargs } = call;
  if (reading.has(method))
    await reads.saw(origin, { model, count: countRecords(json), asked: { method, args, kwargs } });
}

function isPlainJson({ headers }: FastifyRequest): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  return isJsonType(type) && encoding.toLowerCase() === 'identity';
}

function idempotency(request: FastifyRequest): { key: string; bodyHash: string } | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw invalidArgs('An Idempotency-Key has 1 to 200 visible characters.', { field: 'Idempotency-Key' });
  }
  return {
    key,
    bodyHash: createHash('sha256')
      .update(request.body as Buffer)
      .digest('hex'),
  };
}
