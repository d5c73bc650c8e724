import { createHash } from 'node:crypto';
import { dispatch, type Kernel, type RpcRequest, rememberWrite, toRpcRequest } from '@kontor/kernel';
import { invalidArgs, KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate, type Caller } from '../guards/authenticate.ts';
import { checkCsrf } from '../guards/csrf.ts';
import { okEnvelope } from '../http/envelope.ts';
import { readJsonBody } from '../http/json-body.ts';

export const maxRpcBytes = 4_000_000;

/** What was called, for the log and the metrics; filled as soon as it is known. */
declare module 'fastify' {
  interface FastifyRequest {
    rpc?: Pick<RpcRequest, 'model' | 'method'>;
    caller?: Caller;
  }
}

export function rpcRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/api/rpc', { bodyLimit: maxRpcBytes }, async (request, reply) => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await authenticate(kernel, request);
    request.caller = caller;
    checkCsrf(caller, request.headers['x-csrf-token']);
    const call = toRpcRequest(readJsonBody(request.body));
    request.rpc = call;
    const answer = await dispatch(
      kernel,
      {
        actor: caller.actor,
        scope: caller.kind === 'apikey' ? caller.scope : null,
        requestId: request.id,
        idempotency: idempotency(request),
        lastWrite: caller.kind === 'session' ? caller.lastWrite : null,
      },
      call,
    );
    if (answer.changeSet !== null) await changed(kernel, caller, reply, answer.changeSet);
    return reply.type('application/json; charset=utf-8').send(okEnvelope(answer.json));
  });
}

async function changed(kernel: Kernel, caller: Caller, reply: FastifyReply, changeSet: number): Promise<void> {
  reply.header('x-change-set', String(changeSet));
  if (caller.kind !== 'session') return;
  const position = await kernel.writePosition();
  if (position !== null) await rememberWrite(kernel.database, caller.sessionId, position);
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
