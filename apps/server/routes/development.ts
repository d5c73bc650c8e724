import type { Kernel } from '@kontor/kernel';
import type { FastifyInstance } from 'fastify';
import { sendResult } from '../answers/send-shell.ts';
import type { DevRounds } from '../development/dev-rounds.ts';
import { signedIn } from '../guards/authenticate.ts';

/** Shorter than proxies and the server itself allow for an answer. */
const waitMs = 20_000;

/**
 * What `kontor dev` found in its last round; the request waits until there is a newer one than the page knows. Other
 * servers do not have this route.
 */
export function developmentRoutes(server: FastifyInstance, kernel: Kernel, rounds: DevRounds | undefined): void {
  if (!rounds) return;
  server.addHook('preClose', async () => rounds.close());
  server.get('/web/dev/round', async (request, reply) => {
    if (!(await signedIn(kernel, request, reply))) return reply;
    const { after } = request.query as { readonly after?: unknown };
    const known = typeof after === 'string' && /^\d{1,9}$/.test(after) ? Number(after) : -1;
    return sendResult(reply.header('cache-control', 'no-store'), await rounds.after(known, waitMs));
  });
}
