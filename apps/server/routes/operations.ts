import { createHash } from 'node:crypto';
import type { Kernel } from '@kontor/kernel';
import { accessDenied, KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  const known = recentCallers();
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await kernel.isInitialised())) throw new KontorError('NOT_INITIALISED');
    const caller = await authenticate(kernel, request);
    request.caller = caller;
    await limits.keyed(caller, reply);
    checkAdmin(caller, 'metrics', 'read');
    if (caller.kind === 'apikey' && (caller.scope !== null || caller.agent)) {
      throw accessDenied('metrics', 'read', 'model', { message: 'This API key does not cover the metrics.' });
    }
    known.add(request);
  };
  server.get('/metrics', async (request, reply) => {
    await admit(request, reply).catch((error: unknown) => {
      const isDown = error instanceof KontorError && error.code === 'UNAVAILABLE';
      if (!isDown || !known.has(request)) throw error;
    });
    const body = await packed(request, reply, await metrics.text());
    return reply.type(metrics.contentType).send(body);
  });
}

/** Monitoring asks every few seconds: recently admitted callers stay admitted while the database is down. */
const recentMs = 900_000;

/** Recently admitted callers, by the digest of their credentials. */
function recentCallers() {
  const seen = new Map<string, number>();
  const digest = ({ headers }: FastifyRequest): string =>
    createHash('sha256')
      .update(JSON.stringify([headers.authorization, headers['x-api-key'], headers.cookie]))
      .digest('hex');
  return {
    add(request: FastifyRequest): void {
      const now = Date.now();
      for (const [key, at] of seen) if (now - at > recentMs) seen.delete(key);
      seen.set(digest(request), now);
    },
    has: (request: FastifyRequest): boolean => Date.now() - (seen.get(digest(request)) ?? 0) <= recentMs,
  };
}

/**
 * Liveness says that the process answers, and deliberately nothing about the database; readiness says that it can do
 * its work.
 */
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
    // Logged once: a load balancer asks every few seconds.
    if (error && wasReady) log.warn({ err: error }, 'not ready: the database does not answer');
    wasReady = error === null;
    if (error === null) return { ok: true, ...warningsOf(kernel) };
    const { message } = error instanceof KontorError ? error : new KontorError('UNAVAILABLE');
    return notReady(reply, 'database', message);
  });
}

/** Problems for an operator, although requests are served. */
function warningsOf({ loaded }: Kernel): { readonly warnings?: readonly string[] } {
  if (loaded.away.size === 0) return {};
  const told = { 'goes on': 'what was loaded goes on until the next start', 'left out': 'it is left out' };
  return { warnings: [...loaded.away].map(([module, how]) => `The folder of "${module}" is not there: ${told[how]}.`) };
}

function notReady(reply: FastifyReply, missing: string, message: string): FastifyReply {
  const error = new KontorError('UNAVAILABLE', message, { missing: [missing] });
  return reply.code(503).type('application/json; charset=utf-8').send(errorEnvelope(error));
}
