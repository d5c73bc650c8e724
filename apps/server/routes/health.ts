import type { FastifyInstance } from 'fastify';

/** Liveness: the process answers. It says nothing about the database on purpose. */
export function healthRoutes(server: FastifyInstance): void {
  server.get('/api/health', async () => ({ ok: true }));
}
