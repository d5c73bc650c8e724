import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { type BusOptions, createBus } from '../bus/bus.ts';
import { findCaller } from '../guards/authenticate.ts';
import { checkOwnOrigin } from '../guards/setup-right.ts';
import { answerClientError } from '../open-fastify.ts';

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const mostPerSession = 50;
/** Dead connections of closed pages are detected about as soon. */
const retrySeconds = 30;
const mostBytesIn = 16_384;

/** `GET /web/wc/bus`: live events for a signed-in user over a WebSocket. */
export function busRoutes(server: FastifyInstance, kernel: Kernel, options: BusOptions = {}): void {
  if (!kernel.config.busEnabled) return;
  const upgrades = takeUpgrades(server);
  const bus = createBus(kernel, options);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostBytesIn,
  });
  server.addHook('preClose', () => bus.close());

  server.get('/web/wc/bus', async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || !isWebSocket(request)) throw new KontorError('NOT_FOUND', 'This address is for a WebSocket.');
    const caller = await findCaller(kernel, request);
    if (caller?.kind !== 'session') throw new KontorError('UNAUTHORIZED');
    checkOwnOrigin(request);
    const { actor, sessionId } = caller;
    if (bus.countOf(sessionId) >= mostPerSession) {
      throw new KontorError('RATE_LIMITED', 'Too many connections.', { retry_after: retrySeconds });
    }
    await bus.ready();
    const { socket: raw, head } = detachSocket(reply, upgrade);
    sockets.handleUpgrade(request.raw, raw, head, (socket) => bus.add({ socket, raw, sessionId, actor }));
    return reply;
  });
}

function isWebSocket(request: FastifyRequest): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** From here on the framework must not answer on the socket. */
function detachSocket(reply: FastifyReply, upgrade: Upgrade): Upgrade {
  reply.hijack();
  reply.raw.detachSocket(upgrade.socket as Parameters<ServerResponse['detachSocket']>[0]);
  return upgrade;
}

/** Another upgrade, such as `h2c`, is ignored: the request is processed from its start as if it had not asked. */
function serveAgain(server: FastifyInstance, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name, value] = request.rawHeaders.slice(at, at + 2) as [string, string];
    const kept = /^connection$/i.test(name)
      ? value.replaceAll(/(?:^|,)\s*(?:upgrade|http2-settings)\s*(?=,|$)/gi, '')
      : value;
    if (!/^(?:upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${kept.replace(/^\s*,/, '')}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.server.emit('connection', socket);
}

/**
 * Sends upgrade requests through the same hooks and routes as any other. A route that does not accept the upgrade
 * answers as usual, and the connection is closed after the answer.
 */
function takeUpgrades(server: FastifyInstance): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return serveAgain(server, request, socket, head);
    // Its body cannot be read once the parser has released the socket.
    if (request.method !== 'GET') return answerClientError(new Error('An upgrade with a body.'), socket);
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    response.on('finish', () => socket.end());
    server.routing(request, response);
  });
  return upgrades;
}
