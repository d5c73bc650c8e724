import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface BodyTimes {
  /** For a whole body to arrive, and of a large one the longest silence in it. */
  readonly bodyMs: number;
  readonly checkMs: number;
  readonly onLate: (request: FastifyRequest) => void;
}

/** On a slow line it takes longer than any limit on the whole: it takes as long as it takes, while something comes. */
function isUpload({ 'content-length': length, 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return Number(length ?? 0) > 256_000 || type.startsWith('multipart/form-data');
}

/** A body on its way. */
interface Arriving {
  readonly request: FastifyRequest;
  readonly isLarge: boolean;
  since: number;
  seen: number;
}

/** Limits the time in which the body of a request arrives. Node's own limit is on the whole of it, however large. */
export function limitBodyTime(server: FastifyInstance, { bodyMs, checkMs, onLate }: BodyTimes): void {
  const arriving = new Map<IncomingMessage, Arriving>();

  function look(one: Arriving): void {
    const { raw } = one.request;
    const { socket } = raw;
    if (raw.complete || socket.destroyed) return void arriving.delete(raw);
    // What waits to be read is no silence of the sender's.
    if (one.isLarge && (socket.bytesRead !== one.seen || raw.readableLength > 0)) {
      one.seen = socket.bytesRead;
      one.since = performance.now();
    }
    if (performance.now() - one.since < bodyMs) return;
    arriving.delete(raw);
    onLate(one.request);
  }

  // One for all requests: a timer for each would cost as much as reading most bodies.
  const timer = setInterval(() => {
    for (const one of [...arriving.values()]) look(one);
  }, checkMs).unref();
  server.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return done();
    const { bytesRead: seen } = raw.socket;
    arriving.set(raw, { request, isLarge: isUpload(raw.headers), since: performance.now(), seen });
    done();
  });
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    if (raw.complete) arriving.delete(raw);
    done();
  });
}
