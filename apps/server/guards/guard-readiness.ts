import type { Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { staticPath } from '../client/client-assets.ts';
import { wantsJson } from '../http/envelope.ts';

/** Pages lead to the setup until it is done, and nothing new is begun once the server stops. */
export function guardReadiness(server: FastifyInstance, kernel: Kernel): void {
  let isStopping = false;
  server.addHook('preClose', async () => {
    isStopping = true;
  });
  server.addHook('onRequest', async (request, reply) => {
    if (isStopping) {
      reply.header('connection', 'close');
      throw new KontorError('UNAVAILABLE', 'The server is stopping. Try again in a moment.');
    }
    if (!isPage(request.url) || (await kernel.isInitialised())) return;
    if (wantsJson(request)) throw new KontorError('NOT_INITIALISED');
    return reply.redirect('/setup', 302);
  });
}

/** The setup page itself needs files of the client, such as its font. */
function isPage(url: string): boolean {
  return /^\/web(?:[/?]|$)/.test(url) && !url.startsWith(staticPath);
}
