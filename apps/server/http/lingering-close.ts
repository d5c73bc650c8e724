import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface LingerBounds {
  /** How long a connection is read after its last answer. */
  readonly ms: number;
  /** How many bytes are read and dropped. */
  readonly bytes: number;
}

const checkMs = 100;

/**
 * Lets clients that are still sending read the answer that ends their connection: it is half-closed, and the rest of the body is
 * read and dropped within limits. Closing at once would reset the connection, and the answer would be lost.
 */
export function lingerOnClose(server: Server, bounds: LingerBounds): void {
  const requests = new WeakMap<Socket, IncomingMessage>();
  server.prependListener('request', (request) => requests.set(request.socket, request));
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls it after the last answer on a connection.
    socket.destroySoon = () => {
      const request = requests.get(socket);
      if (!request || request.complete || socket.destroyed) destroySoon();
      else linger(socket, request, bounds);
    };
  });
}

function linger(socket: Socket, request: IncomingMessage, { ms, bytes }: LingerBounds): void {
  const { bytesRead: first } = socket;
  // Checks are counted instead of time: a busy process did not read in between.
  let looks = Math.ceil(ms / checkMs);
  const timer = setInterval(() => {
    looks--;
    if (socket.bytesRead - first > bytes || looks === 0) socket.destroy();
  }, checkMs);
  socket.once('close', () => clearInterval(timer));
  request.once('end', () => socket.destroy());
  request.resume();
  socket.end();
}
