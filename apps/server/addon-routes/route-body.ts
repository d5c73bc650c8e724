import type { FastifyRequest } from 'fastify';
import { readFields } from '../http/fields.ts';
import { readJsonBody } from '../http/json-body.ts';
import { isJsonType } from '../http/wants-json.ts';

/** What the handler gets of a body: JSON parsed, a form as its fields, text as text, anything else as bytes. */
export function routeBody(request: FastifyRequest): unknown {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  const type = request.headers['content-type'] ?? '';
  if (isJsonType(type)) return readJsonBody(body);
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return readFields(request);
  return /^text\//i.test(type) ? body.toString('utf8') : body;
}
