import { buildBootstrap, buildWorkspace, type RawQuery, readWorkspaceQuery } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '../guards/signed-in.ts';
import { type Shell, sendResult, sendShell } from '../http/send-shell.ts';
import { wantsJson } from '../http/wants-json.ts';

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
