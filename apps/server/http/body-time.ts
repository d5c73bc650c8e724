import type { IncomingHttpHeaders } from 'node:http';
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

/** Limits the time in which the body of a request arrives. Node's own limit is on the whole of it, however large. */
export function limitBodyTime(server: FastifyInstance, { bodyMs, checkMs, onLate }: BodyTimes): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return done();
    const { socket } = raw;
    const isLarge = isUpload(raw.headers);
    let since = performance.now();
    let seen = socket.bytesRead;
    const timer = setInterval(() => {
      if (raw.complete || socket.destroyed) return clearInterval(timer);
      // What waits to be read is no silence of the sender's.
      if (isLarge && (socket.bytesRead !== seen || raw.readableLength > 0)) {
        seen = socket.bytesRead;
        since = performance.now();
      }
      if (performance.now() - since < bodyMs) return;
      clearInterval(timer);
      onLate(request);
    }, checkMs).unref();
    raw.once('close', () => clearInterval(timer));
    done();
  });
}
