import type { Kernel } from '@kontor/kernel';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { answerClientError } from './client-error.ts';
import { toCallerError } from './envelope.ts';
import { hangUpWhenStopping } from './hang-up.ts';
import { requestId } from './request-id.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sendError } from './send-error.ts';

/** Limits on slow clients, in milliseconds. */
export interface Patience {
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** For its headers. */
  readonly headersMs: number;
  /** How often both are looked at. */
  readonly checkMs: number;
  /** For a connection on which nothing moves: an answer that nobody reads, or one that takes too long to make. */
  readonly silenceMs: number;
}

const usualPatience: Patience = { requestMs: 30_000, headersMs: 15_000, checkMs: 1_000, silenceMs: 120_000 };
const smallBody = 64_000;

export function openFastify(kernel: Kernel, log: FastifyBaseLogger, given: Partial<Patience> = {}): FastifyInstance {
  const patience = { ...usualPatience, ...given };
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: smallBody,
    trustProxy: [...kernel.config.trustedProxies],
    exposeHeadRoutes: false,
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    keepAliveTimeout: 15_000,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: 16_384,
      // The framework answers without it as well, with an empty name.
      requireHostHeader: true,
    },
    // Routes have no schemas; without this the framework loads two compilers for them at every start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Requests that come while the server stops get the envelope from a hook of ours.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(reply);
      reply.header('x-request-id', request.id);
      return sendError(request, reply, toCallerError(error, { requestId: request.id, bodyLimit: smallBody }));
    },
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  hangUpWhenStopping(server);
  server.removeAllContentTypeParsers();
  const bytes = ['application/json', 'application/x-www-form-urlencoded'];
  server.addContentTypeParser(bytes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return server;
}

function noSchemas(): never {
  throw new Error('Routes check what they are sent themselves; they have no schemas.');
}
