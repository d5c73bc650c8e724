import { KontorError } from '@kontor/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error-page.ts';
import { errorEnvelope, toCallerError } from './envelope.ts';
import { wordsOf } from './request-language.ts';
import { wantsJson } from './wants-json.ts';

/** Errors: the envelope for programs, a page for people. What is wrong with the server is for its log alone. */
export function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const shown = toCallerError(error, { requestId: request.id, bodyLimit: request.routeOptions.bodyLimit ?? 0 });
    if (shown.status >= 500) request.cause = error;
    // The framework would hang up on a body that is too large, and the caller would never see why.
    if (shown.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection');
    return sendError(request, reply, shown);
  });
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  told: KontorError,
  status = told.status,
): FastifyReply {
  const words = wordsOf(request);
  const error = told.told(words.say);
  request.failure = error.code;
  reply.code(status);
  if (typeof error.details.retry_after === 'number') reply.header('retry-after', String(error.details.retry_after));
  if (wantsJson(request)) return reply.type('application/json; charset=utf-8').send(errorEnvelope(error));
  return reply
    .type('text/html; charset=utf-8')
    .send(errorPage({ nonce: reply.nonce, words, status, error, requestId: request.id }));
}

/** For an address that is not served, or not with this verb. */
export function sendUnserved(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  if (allowed.length === 0) return sendError(request, reply, new KontorError('NOT_FOUND', 'There is no such page.'));
  reply.header('allow', allowed.join(', '));
  const { method } = request;
  const error = new KontorError('METHOD_NOT_ALLOWED', `${method} is not served here.`, { method });
  return sendError(request, reply, error, 405);
}
