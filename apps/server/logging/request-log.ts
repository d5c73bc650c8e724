import { type Kernel, rpcMethods } from '@kontor/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * One line per request, once it is answered. Names invented by the caller are not written: an unknown path, model or
 * method could be anything, even a password.
 */
export function logRequests(server: FastifyInstance, kernel: Kernel): void {
  const lines = server.log.child({}, flatLines);
  server.addHook('onResponse', (request, reply, done) => {
    const { model, method } = knownCall(kernel, request);
    const line = {
      reqId: request.id,
      userId: request.caller?.actor.uid,
      verb: request.method,
      route: request.addonRoute ?? request.routeOptions.url,
      model,
      method,
      status: reply.statusCode,
      code: request.failure,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (request.failure === 'INTERNAL_ERROR') server.log.error({ ...line, err: request.cause }, 'request failed');
    else if (request.failure === 'UNAVAILABLE') server.log.warn({ ...line, err: request.cause }, 'request failed');
    else lines.info(line, 'request');
    done();
  });
}

/** Lines of our own plain values need no redaction. */
const flatLines = { redact: { paths: ['password'], censor: '***' } };

export interface KnownCall {
  readonly model: string | undefined;
  readonly method: string | undefined;
}

const unknownCall: KnownCall = { model: undefined, method: undefined };

export function knownCall(kernel: Kernel, { rpc }: FastifyRequest): KnownCall {
  if (!rpc) return unknownCall;
  return {
    model: kernel.registry.models.has(rpc.model) ? rpc.model : 'other',
    method: rpcMethods.has(rpc.method) ? rpc.method : 'other',
  };
}
