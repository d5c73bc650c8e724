import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config, Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { sendError } from './answers/answer-error.ts';
import { limitBodyTime } from './http/body-time.ts';
import { errorEnvelope, toCallerError } from './http/envelope.ts';
import { lingerOnClose } from './http/lingering-close.ts';
import { securityHeaderValues, setSecurityHeaders } from './http/security-headers.ts';

/** Limits on slow clients, in milliseconds. */
export interface Timeouts {
  /** Between two chunks of a body; in each such interval it must also arrive at 1 kB/s. */
  readonly bodyMs: number;
  /** For the headers. */
  readonly headersMs: number;
  /** How often both are checked. */
  readonly checkMs: number;
  /** For a stalled connection: an answer that nobody reads, or one that takes too long. */
  readonly silenceMs: number;
  /** For an idle connection between two requests. */
  readonly keepAliveMs: number;
}

function usualTimeouts(config: Config): Timeouts {
  return {
    bodyMs: config.httpBodySeconds * 1_000,
    headersMs: config.httpHeadersSeconds * 1_000,
    checkMs: 1_000,
    silenceMs: config.httpSilenceSeconds * 1_000,
    keepAliveMs: config.httpKeepAliveSeconds * 1_000,
  };
}

const smallBody = 64_000;
/** What a client may still send of a body after it was rejected. */
const droppedBytes = 64_000_000;

export function openFastify(kernel: Kernel, log: FastifyBaseLogger, given: Partial<Timeouts> = {}): FastifyInstance {
  const timeouts = { ...usualTimeouts(kernel.config), ...given };
  const server = Fastify({
    loggerInstance: log,
    // A child logger per request would cost more than most of their lines: lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: smallBody,
    trustProxy: [...kernel.config.trustedProxies],
    exposeHeadRoutes: false,
    rewriteUrl: asGet,
    // Bodies have our own limits.
    requestTimeout: 0,
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: 16_384,
      // Without it the framework still answers, with an empty name.
      requireHostHeader: true,
    },
    // Routes have no schemas; without this the framework loads two compilers at every start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Requests that arrive while the server stops get the envelope from our own hook.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(reply);
      reply.header('x-request-id', requestEcho(request));
      return sendError(request, reply, toCallerError(error, { requestId: request.id, bodyLimit: smallBody }));
    },
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  hangUpWhenStopping(server);
  lingerOnClose(server.server, { ms: timeouts.bodyMs, bytes: droppedBytes });
  limitBodyTime(server, { ...timeouts, onLate: ({ raw }) => answerClientError(lateError, raw.socket) });
  server.removeAllContentTypeParsers();
  const bytes = ['application/json', 'application/x-www-form-urlencoded'];
  server.addContentTypeParser(bytes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return server;
}

/** HEAD is a GET whose answer has no body: Node has created the response for it before the method is changed here. */
function asGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') request.method = 'GET';
  return request.url ?? '/';
}

function noSchemas(): never {
  throw new Error('Routes check what they are sent themselves; they have no schemas.');
}

interface Refusal {
  readonly line: string;
  readonly error: KontorError;
}

const malformed: Refusal = {
  line: '400 Bad Request',
  error: new KontorError('INVALID_ARGS', 'This is not a request of HTTP.'),
};
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: new KontorError('PAYLOAD_TOO_LARGE', 'The headers are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    error: new KontorError('INVALID_ARGS', 'The request took too long to arrive.'),
  },
};

const lateError: NodeJS.ErrnoException = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Answers invalid or too slow requests as well as possible, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { line, error: shown } = refusals[error.code ?? ''] ?? malformed;
  const body = errorEnvelope(shown);
  const head = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries({ 'x-request-id': randomUUID(), ...securityHeaderValues(randomUUID()) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** No control characters, which could end a header or a log line; longer than any id that a program creates. */
const harmless = /^(?=.*\S)[\x20-\x7e\xa0-\xff]{1,1000}$/;
/** The maximum length in logs and change sets. */
const keptId = 128;

function ownId(given: string | readonly string[] | undefined): string | null {
  return typeof given === 'string' && harmless.test(given) ? given : null;
}

/** The caller's own id as far as it is stored, otherwise a new one. */
function requestId(given: string | readonly string[] | undefined): string {
  return ownId(given)?.slice(0, keptId) ?? randomUUID();
}

/** The id in the answer: the caller's own, unless it could break a header or a log. */
export function requestEcho({ id, headers }: Pick<FastifyRequest, 'id' | 'headers'>): string {
  return ownId(headers['x-request-id']) ?? id;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** A stop has begun. */
    readonly isStopping: boolean;
    /** Before `close`: new requests are still served, and each answer closes its connection. */
    drain(times: DrainTimes): Promise<void>;
  }
}

export interface DrainTimes {
  /** It continues for at least this long. */
  readonly leastMs: number;
  /** And for at most this long while clients are connected. */
  readonly mostMs: number;
}

/**
 * Lets a stop wait only for requests, and answer all that have arrived. Node counts two kinds of idle connections as
 * busy: those that browsers open in advance, and those whose request was in flight when the stop began and has been
 * answered since.
 */
function hangUpWhenStopping(server: FastifyInstance): void {
  const open = new Set<Socket>();
  let isStopping = false;
  let onEmpty = (): void => {};
  server.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) onEmpty();
    });
  });
  server.decorate('isStopping', { getter: () => isStopping });
  server.decorate('drain', async ({ leastMs, mostMs }: DrainTimes) => {
    isStopping = true;
    await pause(leastMs);
    if (open.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs - leastMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    // One turn of the event loop: data in the sockets has been read when the listener closes.
    await new Promise((resolve) => setImmediate(resolve));
  });
  const { server: http } = server;
  const closeIdle = http.closeIdleConnections.bind(http);
  http.closeIdleConnections = () => void setImmediate(closeIdle);
  server.addHook('preClose', (done) => {
    isStopping = true;
    setImmediate(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    });
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
}
