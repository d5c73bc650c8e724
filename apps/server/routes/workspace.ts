import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { buildWorkspace, type RawQuery, readWorkspaceQuery } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../guards/signed-in.ts';

/** One view with its records: the payload itself when it works, the RPC envelope when it does not. */
export function workspaceRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/wc/workspace', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const payload = await buildWorkspace(kernel, caller, readWorkspaceQuery(request.query as RawQuery));
    return reply.header('vary', 'cookie').type('application/json; charset=utf-8').send(toJson(payload));
  });
}
