import type { Kernel } from '@kontor/kernel';
import { accessDenied, KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { authenticate, checkAdmin } from '../guards/authenticate.ts';
import { packed } from '../http/compression.ts';
import { errorEnvelope } from '../http/envelope.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

interface MetricsParts {
  readonly limits: RateLimits;
  readonly metrics: Metrics;
}

/** For administrators, by session or key. A key with a scope covers calls of models, not the state of the server. */
export function metricsRoutes(server: FastifyInstance, kernel: Kernel, { limits, metrics }: MetricsParts): void {
  server.get('/metrics', async (request, reply) => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await authenticate(kernel, request);
    request.caller = caller;
    limits.keyed(caller, reply);
    checkAdmin(caller, 'metrics', 'read');
    if (caller.kind === 'apikey' && (caller.scope !== null || caller.agent)) {
      throw accessDenied('metrics', 'read', 'model', { message: 'This API key does not cover the metrics.' });
    }
    const body = await packed(request, reply, await metrics.text());
    return reply.type(metrics.contentType).send(body);
  });
}

/** Liveness says that the process answers, and nothing of the database on purpose; readiness, that it can do its work. */
export function healthRoutes(server: FastifyInstance, kernel: Kernel): void {
  const { database, log } = kernel;
  server.get('/api/health', async () => ({ ok: true }));
  let wasReady = true;
  server.get('/api/health/ready', async (_request, reply) => {
    if (server.isStopping) return notReady(reply, 'server', 'The server is stopping. Try again in a moment.');
    const error = await database.ping().then(
      () => null,
      (failure: unknown) => failure,
    );
    // Told once: a balancer asks every few seconds.
    if (error && wasReady) log.warn({ err: error }, 'not ready: the database does not answer');
    wasReady = error === null;
    if (error === null) return { ok: true, ...warningsOf(kernel) };
    const { message } = error instanceof KontorError ? error : new KontorError('UNAVAILABLE');
    return notReady(reply, 'database', message);
  });
}

/** What an operator should see to, though requests are served. */
function warningsOf({ loaded }: Kernel): { readonly warnings?: readonly string[] } {
  if (loaded.away.size === 0) return {};
  const told = { 'goes on': 'what was loaded goes on until the next start', 'left out': 'it is left out' };
  return { warnings: [...loaded.away].map(([module, how]) => `The folder of "${module}" is not there: ${told[how]}.`) };
}

function notReady(reply: FastifyReply, missing: string, message: string): FastifyReply {
  const error = new KontorError('UNAVAILABLE', message, { missing: [missing] });
  return reply.code(503).type('application/json; charset=utf-8').send(errorEnvelope(error));
}
