import type { FastifyInstance } from 'fastify';

const patienceMs = 10_000;

/** Accepts nothing new, lets what is in flight finish, and hangs up on what has not finished in time. */
export async function closeServer(server: FastifyInstance, limitMs = patienceMs): Promise<void> {
  const timer = setTimeout(() => {
    server.log.warn('Requests were still in flight and have been cut.');
    server.server.closeAllConnections();
  }, limitMs).unref();
  await server.close();
  clearTimeout(timer);
}
