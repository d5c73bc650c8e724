import type { Kernel } from '@kontor/kernel';
import { accessDenied, KontorError } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { authenticate, checkAdmin } from '../guards/authenticate.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

/** For administrators, by session or key. A key with a scope covers calls of models, not the state of the server. */
export function metricsRoutes(server: FastifyInstance, kernel: Kernel, metrics: Metrics): void {
  server.get('/metrics', async (request, reply) => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await authenticate(kernel, request);
    request.caller = caller;
    checkAdmin(caller);
    if (caller.kind === 'apikey' && caller.scope !== null) {
      throw accessDenied('metrics', 'read', 'model', { message: 'This API key does not cover the metrics.' });
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Liveness: the process answers. It says nothing about the database on purpose. */
export function healthRoutes(server: FastifyInstance): void {
  server.get('/api/health', async () => ({ ok: true }));
}
