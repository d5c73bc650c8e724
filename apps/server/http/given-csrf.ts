import type { FastifyRequest } from 'fastify';
import type { Fields } from './fields.ts';

/** Forms carry the token in a field, programs in a header. */
export function givenCsrf(request: FastifyRequest, fields: Fields): unknown {
  return request.headers['x-csrf-token'] ?? fields.csrf_token;
}
