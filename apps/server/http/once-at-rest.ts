import type { FastifyInstance } from 'fastify';

/** By then, callers that waited for the start have their first answers. */
const restMs = 1_000;

/** Runs work shortly after the server listens, so that the start does not wait for it. */
export function onceAtRest(server: FastifyInstance, work: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('onListen', async () => {
    timer = setTimeout(work, restMs).unref();
  });
  server.addHook('onClose', async () => clearTimeout(timer));
}
