import type { Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsJson } from '../http/wants-json.ts';
import { type Caller, findCaller } from './authenticate.ts';

export type SessionCaller = Extract<Caller, { kind: 'session' }>;

/** The signed-in person. Programs get 401; people are sent to sign in and come back. Null: the answer is on its way. */
export async function signedIn(
  kernel: Kernel,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionCaller | null> {
  if (!(await kernel.isInitialised())) {
    if (wantsJson(request)) throw new KontorError('NOT_INITIALISED');
    reply.redirect('/setup', 302);
    return null;
  }
  const caller = await findCaller(kernel, request);
  if (caller?.kind === 'session') {
    request.caller = caller;
    return caller;
  }
  if (wantsJson(request)) throw new KontorError('UNAUTHORIZED');
  const back = request.method === 'GET' ? request.url : '/web/home';
  reply.redirect(`/web/login?next=${encodeURIComponent(back)}`, 302);
  return null;
}

export function checkAdmin(caller: Caller): void {
  if (!caller.actor.groups.has('base.group_system')) {
    throw new KontorError('ACCESS_DENIED', 'This is for administrators.', { layer: 'model' });
  }
}
