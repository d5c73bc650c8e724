import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface BodyTimes {
  /** The maximum pause within a body, and the interval over which the minimum speed is measured. */
  readonly bodyMs: number;
  readonly checkMs: number;
  readonly onLate: (request: FastifyRequest) => void;
}

const leastBytesPerSecond = 1_000;
const largeBytes = 64_000;

/** A body that is being received. */
interface Arriving {
  readonly request: FastifyRequest;
  /** The interval in which its speed is measured: its start, and the bytes received before it. */
  since: number;
  from: number;
  silentSince: number;
  seen: number;
  isAnswered: boolean;
}

/**
 * Limits the time in which the body of a request arrives. Node's own limit is on the whole body, whatever its size: on a slow line
 * an upload may take long, as long as enough arrives in each interval. A body that starts fast and then slows down is cut off as
 * well.
 */
export function limitBodyTime(server: FastifyInstance, { bodyMs, checkMs, onLate }: BodyTimes): void {
  const arriving = new Map<IncomingMessage, Arriving>();
  const clock = openClock(checkMs);

  function look(one: Arriving, now: number): void {
    const { raw } = one.request;
    const { socket } = raw;
    if (raw.complete || socket.destroyed) return void arriving.delete(raw);
    const isWaiting = raw.readableLength > 0;
    if (socket.bytesRead !== one.seen || isWaiting) {
      one.seen = socket.bytesRead;
      one.silentSince = now;
    }
    const stretch = now - one.since;
    const isSlow = stretch >= bodyMs && one.seen - one.from < (stretch / 1_000) * leastBytesPerSecond;
    // Data that waits to be read does not mean that the sender is slow.
    if (isWaiting || (stretch >= bodyMs && !isSlow)) Object.assign(one, { since: now, from: one.seen });
    if ((!isSlow || isWaiting) && now - one.silentSince < bodyMs) return;
    arriving.delete(raw);
    if (one.isAnswered) socket.destroy();
    else onLate(one.request);
  }

  // One timer for all requests: a timer for each would cost as much as reading most bodies.
  const timer = setInterval(() => {
    clock.tick();
    for (const one of [...arriving.values()]) look(one, clock.now());
  }, checkMs).unref();
  server.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return done();
    const { bytesRead: seen } = raw.socket;
    const now = clock.now();
    arriving.set(raw, { request, since: now, from: seen, silentSince: now, seen, isAnswered: false });
    done();
  });
  // The rest of a large body is not worth the connection: it ends with the answer.
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!raw.complete && mayBeLarge(raw)) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    const one = arriving.get(raw);
    if (one) one.isAnswered = true;
    if (raw.complete) arriving.delete(raw);
    done();
  });
}

function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes;
}

/** The time in which this process could read: while it is busy, bodies wait in the system. */
function openClock(checkMs: number) {
  let elapsed = 0;
  let last = performance.now();
  return {
    now: () => elapsed,
    tick() {
      const now = performance.now();
      elapsed += Math.min(now - last, 2 * checkMs);
      last = now;
    },
  };
}
