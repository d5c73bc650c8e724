import { KontorError } from '@kontor/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error-page.ts';
import { errorEnvelope, toCallerError } from './envelope.ts';
import { wantsJson } from './wants-json.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Errors and unknown paths: the envelope for programs, a page for people. */
export function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const shown = toCallerError(error, request.id);
    request.failure = shown.code;
    if (shown.status >= 500) request.log.error({ err: error, code: shown.code }, 'request failed');
    return sendError(request, reply, shown);
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    const allowed = methods.filter((method) => server.hasRoute({ method, url: path }));
    if (allowed.length === 0) return sendError(request, reply, new KontorError('NOT_FOUND', 'There is no such page.'));
    reply.header('allow', allowed.join(', '));
    const error = new KontorError('METHOD_NOT_ALLOWED', `${request.method} is not served here.`, {
      method: request.method,
    });
    return sendError(request, reply, error, 405);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Error code of the answer, for the log and the metrics. */
    failure?: string;
  }
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: KontorError,
  status = error.status,
): FastifyReply {
  reply.code(status);
  if (typeof error.details.retry_after === 'number') reply.header('retry-after', String(error.details.retry_after));
  if (wantsJson(request)) return reply.type('application/json; charset=utf-8').send(errorEnvelope(error));
  return reply.type('text/html; charset=utf-8').send(errorPage(reply.nonce, status, error, request.id));
}
