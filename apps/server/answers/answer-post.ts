import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { rememberKeyWrite, rememberWrite } from '@kontor/parts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';
import { okEnvelope, wantsJson } from '../http/envelope.ts';

/** After a successful post: the envelope for programs, the next page for users. */
export function answerPost(request: FastifyRequest, reply: FastifyReply, result: unknown, next: string): FastifyReply {
  if (wantsJson(request)) return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(result)));
  return reply.redirect(next, 303);
}

const here = 'http://kontor.invalid';

/** Where to go after a post: `/` or a path under `/web` of this server; anything else falls back. */
export function nextPath(given: string, fallback: string): string {
  if (given === '' || !given.startsWith('/')) return fallback;
  let url: URL;
  try {
    url = new URL(given, here);
  } catch {
    return fallback;
  }
  if (url.origin !== here) return fallback;
  const isOurs = url.pathname === '/' || url.pathname === '/web' || url.pathname.startsWith('/web/');
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : fallback;
}

/** Tells the caller how to undo the change, and the replica what it must have replayed. */
export async function noteChange(
  kernel: Kernel,
  caller: Caller,
  reply: FastifyReply,
  { changeSet, canUndo }: { readonly changeSet: number | null; readonly canUndo: boolean },
): Promise<void> {
  if (changeSet === null) return;
  reply.header('x-change-set', String(changeSet));
  if (!canUndo) reply.header('x-undo', 'no');
  await rememberChange(kernel, caller);
}

/** A caller who changed something reads their own changes from then on. */
export async function rememberChange(kernel: Kernel, caller: Caller): Promise<void> {
  const position = await kernel.writePosition();
  if (position === null) return;
  if (caller.kind === 'session') await rememberWrite(kernel.database, caller.sessionId, position);
  else await rememberKeyWrite(kernel.database, caller.keyId, position);
}
