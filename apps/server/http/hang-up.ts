import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a stop wait for requests alone. Node counts two kinds of connections as busy that are not: those that browsers open
 * before they have anything to ask, and those whose request was in flight when the stop began and has been answered since.
 */
export function hangUpWhenStopping(server: FastifyInstance): void {
  const open = new Set<Socket>();
  let isStopping = false;
  server.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.addHook('preClose', (done) => {
    isStopping = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
}
