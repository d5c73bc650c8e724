import type { Kernel, RouteAuth } from '@kontor/kernel';
import { accessDenied, KontorError } from '@kontor/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, findCaller } from '../guards/authenticate.ts';
import { signedIn } from '../guards/signed-in.ts';

/** Whoever the route's mode lets in; `nobody` for a public one. Null: the answer is on its way. */
export async function routeCaller(
  kernel: Kernel,
  auth: RouteAuth,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | 'nobody' | null> {
  if (auth === 'none') return 'nobody';
  if (auth === 'session') return signedIn(kernel, request, reply);
  if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
  const caller = await findCaller(kernel, request);
  if (caller?.kind !== 'apikey') throw new KontorError('UNAUTHORIZED', 'Send an API key.');
  request.caller = caller;
  // A scope names models and methods; a route is neither, and may do anything that the owner may.
  if (caller.scope !== null) {
    throw accessDenied('route', 'read', 'model', { message: 'This API key is limited to calls of /api/rpc.' });
  }
  return caller;
}
