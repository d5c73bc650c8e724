import type { Duplex } from 'node:stream';
import type { Actor } from '@kontor/orm';
import { busCloseCodes, type RecordRef } from '@kontor/protocol';
import type { WebSocket } from 'ws';
import type { Waiting, WriteLine } from './write-line.ts';

/** An open socket and its user. */
export interface BusClient {
  readonly id: number;
  readonly sessionId: number;
  actor: Actor;
  /** The records it shows, as far as its user may read them. */
  watched: readonly RecordRef[];
  /** Writes whole frames when it is its turn. A client that does not read them in time is disconnected. */
  write(frames: Buffer): void;
  /** Closes the connection; terminates it if the client does not answer. */
  close(code: number, reason: string): void;
  /** Sends a ping; terminates the connection if the last one was not answered. */
  ping(): void;
  /** Its connection is closed. */
  forget(): void;
}

export interface BusSocket {
  readonly socket: WebSocket;
  /** The socket of the WebSocket. Frames for many clients are written to it directly, one write per batch. */
  readonly raw: Duplex;
  readonly sessionId: number;
  readonly actor: Actor;
}

const maxWaitingBytes = 4_000_000;
const closeLimitMs = 3_000;

let lastId = 0;

export function createBusClient({ socket, raw, sessionId, actor }: BusSocket, line: WriteLine): BusClient {
  let isAlive = true;
  let isLeaving = false;
  socket.on('pong', () => {
    isAlive = true;
  });
  // An error on a connection ends it, and its close reports that.
  socket.on('error', () => {});

  const isOpen = (): boolean => !isLeaving && socket.readyState === socket.OPEN;
  const waiting: Waiting = {
    frames: [],
    send(bytes) {
      if (!isOpen()) return;
      // Only data from before counts, not this batch: a large batch is not the client's fault.
      if (raw.writableLength > maxWaitingBytes) leave(busCloseCodes.tooSlow, 'too slow');
      else raw.write(bytes);
    },
  };

  line.join(waiting);

  function close(code: number, reason: string): void {
    line.serve(waiting);
    leave(code, reason);
  }

  function leave(code: number, reason: string): void {
    if (isLeaving) return;
    isLeaving = true;
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeLimitMs).unref();
  }

  return {
    id: ++lastId,
    sessionId,
    actor,
    watched: [],
    close,
    write(frames) {
      if (isOpen()) line.add(waiting, frames);
    },
    ping() {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    forget: () => line.leave(waiting),
  };
}

/** One WebSocket text message in wire format, unmasked: built once, written to many sockets. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = 0x81;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}
