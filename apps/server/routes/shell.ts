import type { Kernel } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { buildBootstrap, buildWorkspace, type RawQuery, readWorkspaceQuery } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { type Shell, sendResult, sendShell } from '../answers/send-shell.ts';
import { signedIn } from '../guards/authenticate.ts';
import { wantsJson } from '../http/envelope.ts';

/** The workspace shell: the page carries the first workspace, so that the first screen needs no request. */
export function shellRoutes(server: FastifyInstance, shell: Shell): void {
  const { kernel, clients } = shell;
  server.get('/web', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const raw = request.query as RawQuery;
    if (!raw.action && !raw.model && !raw.menu_id) return reply.redirect('/web/home', 302);
    const workspace = await buildWorkspace(kernel, caller, readWorkspaceQuery(raw));
    if (wantsJson(request)) {
      return sendResult(
        reply,
        await buildBootstrap(kernel, caller, { workspace, toasts: [], clientAddons: await clients.present() }),
      );
    }
    return sendShell(shell, caller, { request, reply }, { workspace });
  });
}

/** One view with its records: the payload itself when it works, the RPC envelope when it does not. */
export function workspaceRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/wc/workspace', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const payload = await buildWorkspace(kernel, caller, readWorkspaceQuery(request.query as RawQuery));
    return reply.header('vary', 'cookie').type('application/json; charset=utf-8').send(toJson(payload));
  });
}
