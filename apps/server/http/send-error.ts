import type { KontorError } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error-page.ts';
import { errorEnvelope } from './envelope.ts';
import { wordsOf } from './request-language.ts';
import { wantsJson } from './wants-json.ts';

/** The bare answer: the envelope for programs, a page of its own for people. */
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
  if (wantsJson(request) || isProgramsDownload(request))
    return reply.type('application/json; charset=utf-8').send(errorEnvelope(error));
  return reply
    .type('text/html; charset=utf-8')
    .send(errorPage({ nonce: reply.nonce, words, status, error, requestId: request.id }));
}

/** Of a download, only a person who followed its link expects a page. */
function isProgramsDownload({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config?.isDownload === true && !/\btext\/html\b/i.test(headers.accept ?? '');
}
