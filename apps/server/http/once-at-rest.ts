import type { FastifyInstance } from 'fastify';

/** By then whoever waited for the start has the first answers. */
const restMs = 1_000;

/** Does a moment after the server listens what need not be done before, so that nobody waits for it. */
export function onceAtRest(server: FastifyInstance, work: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('onListen', async () => {
    timer = setTimeout(work, restMs).unref();
  });
  server.addHook('onClose', async () => clearTimeout(timer));
}
