import { type Multipart, parseMultipart } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCsrf, givenCsrf, type SessionCaller } from './authenticate.ts';

/** Lets the routes of a scope accept forms with files; no other route accepts such bodies. */
export function takeUploads(scope: FastifyInstance): void {
  scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** A form with files from a caller who was authenticated before the body was read. */
export function readForm(request: FastifyRequest): Multipart & { readonly caller: SessionCaller } {
  const caller = request.caller as SessionCaller;
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new KontorError('UNSUPPORTED_MEDIA_TYPE', 'Send multipart/form-data.');
  const form = parseMultipart(type, request.body as Buffer);
  checkCsrf(caller, givenCsrf(request, form.fields));
  return { ...form, caller };
}
