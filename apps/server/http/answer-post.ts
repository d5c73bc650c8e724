import { toJson } from '@kontor/orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { okEnvelope } from './envelope.ts';
import { wantsJson } from './wants-json.ts';

/** After a post that worked: the envelope for programs, the next page for people. */
export function answerPost(request: FastifyRequest, reply: FastifyReply, result: unknown, next: string): FastifyReply {
  if (wantsJson(request)) return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(result)));
  return reply.redirect(next, 303);
}
