import type { Kernel } from '@kontor/kernel';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { answerErrors } from './http/answer-error.ts';
import { requestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { companyRoutes } from './routes/company.ts';
import { healthRoutes } from './routes/health.ts';
import { loginRoutes } from './routes/login.ts';
import { passwordRoutes } from './routes/password.ts';
import { pinnedAppsRoutes } from './routes/pinned-apps.ts';
import { rpcRoutes } from './routes/rpc.ts';
import { setupRoutes } from './routes/setup.ts';

const smallBody = 64_000;

/** The HTTP listener: guards, routes and errors, put together once. */
export async function createServer(kernel: Kernel, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: log,
    disableRequestLogging: true,
    bodyLimit: smallBody,
    trustProxy: [...kernel.config.trustedProxies],
    exposeHeadRoutes: false,
    // A client that sends its request slower than this is not waited for.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 15_000,
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  const bytes = ['application/json', 'application/x-www-form-urlencoded'];
  server.addContentTypeParser(bytes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  securityHeaders(server);
  answerErrors(server);
  healthRoutes(server);
  rpcRoutes(server, kernel);
  setupRoutes(server, kernel);
  loginRoutes(server, kernel);
  passwordRoutes(server, kernel);
  apiKeyRoutes(server, kernel);
  companyRoutes(server, kernel);
  pinnedAppsRoutes(server, kernel);
  return server;
}
