import type { Kernel } from '@kontor/kernel';
import { viewOrigins } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { sendResult } from '../answers/send-shell.ts';
import type { DevRounds } from '../development/dev-rounds.ts';
import { signedIn } from '../guards/authenticate.ts';

/** Shorter than proxies and the server itself allow for an answer. */
const waitMs = 20_000;

/** The routes of a server in development; others do not have them. */
export function developmentRoutes(server: FastifyInstance, kernel: Kernel, rounds: DevRounds | undefined): void {
  if (kernel.config.devMode) viewRoute(server, kernel);
  if (rounds) roundRoute(server, kernel, rounds);
}

/** The view of a model and type as the reader sees it, with the origin of each element. */
function viewRoute(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/dev/view', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { model, type } = request.query as Readonly<Record<string, unknown>>;
    return sendResult(reply, await viewOrigins(kernel, caller.actor, String(model), String(type)));
  });
}

/** What `kontor dev` found in its last round; the request waits until there is a newer one than the page knows. */
function roundRoute(server: FastifyInstance, kernel: Kernel, rounds: DevRounds): void {
  server.addHook('preClose', async () => rounds.close());
  server.get('/web/dev/round', async (request, reply) => {
    if (!(await signedIn(kernel, request, reply))) return reply;
    const { after } = request.query as { readonly after?: unknown };
    const known = typeof after === 'string' && /^\d{1,9}$/.test(after) ? Number(after) : -1;
    return sendResult(reply.header('cache-control', 'no-store'), await rounds.after(known, waitMs));
  });
}
