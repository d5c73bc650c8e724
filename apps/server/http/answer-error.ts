import { KontorError } from '@kontor/protocol';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toCallerError } from './envelope.ts';
import { sendError } from './send-error.ts';
import type { Shell } from './send-shell.ts';
import { showError } from './show-error.ts';

/** Errors: the envelope for programs, a page for people. What is wrong with the server is for its log alone. */
export function answerErrors(server: FastifyInstance, shell: Shell): void {
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const shown = toCallerError(error, { requestId: request.id, bodyLimit: request.routeOptions.bodyLimit ?? 0 });
    if (shown.status >= 500) request.cause = error;
    // The framework would hang up on a body that is too large, and the caller would never see why.
    if (shown.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection');
    return showError(shell, { request, reply }, shown);
  });
}

/** For an address that is not served, or not with this verb. */
export async function sendUnserved(
  shell: Shell,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  allowed: readonly string[],
): Promise<FastifyReply> {
  if (allowed.length === 0)
    return showError(shell, { request, reply }, new KontorError('NOT_FOUND', 'There is no such page.'));
  reply.header('allow', allowed.join(', '));
  const { method } = request;
  const error = new KontorError('METHOD_NOT_ALLOWED', `${method} is not served here.`, { method });
  return sendError(request, reply, error, 405);
}
