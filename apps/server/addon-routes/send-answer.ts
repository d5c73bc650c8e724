import type { RouteAnswer } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import type { FastifyReply } from 'fastify';

/** Text and bytes as they are, anything else as JSON. */
export function sendAnswer(reply: FastifyReply, answer: RouteAnswer): FastifyReply {
  const { status = 200, headers = {}, body } = answer;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('A route answers with a status from 200 to 599.');
  reply.code(status);
  if (typeof body === 'string') reply.type('text/plain; charset=utf-8');
  else if (body instanceof Uint8Array) reply.type('application/octet-stream');
  else if (body !== undefined && body !== null) reply.type('application/json; charset=utf-8');
  reply.headers({ ...headers });
  if (body === undefined || body === null) return reply.send();
  if (typeof body === 'string') return reply.send(body);
  return reply.send(body instanceof Uint8Array ? Buffer.from(body) : toJson(body));
}
