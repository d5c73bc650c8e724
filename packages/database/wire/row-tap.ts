import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { driverConnection } from './driver-connection.ts';

/** Receives the rows of a statement in wire format. */
export interface RowSink {
  /**
   * One row up to `end`: from `start` a count of cells (int16), then each cell's length (int32, -1: null) and bytes. They are
   * others as soon as it returns.
   */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Sits between a connection's socket and the driver, and diverts rows that are wanted unparsed. */
export interface RowTap {
  sink: RowSink | null;
  /** Statements that the server has already, behind the one that it works on. */
  readonly behind: SentAhead[];
}

export interface SentAhead {
  /** Its answer comes next. */
  begin(): void;
  fail(error: Error): void;
}

const taps = new WeakMap<object, RowTap>();
const dataRow = 0x44;

/** All connections are read into the same buffer, one after another: nobody keeps its bytes, and nothing is allocated per read. */
const received = Buffer.allocUnsafeSlow(65_536);

/** The driver's client with a tap. The driver creates an object and a text for every cell, which is slow for large lists. */
export class TappedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const connection = driverConnection(this);
    const attach = connection.attachListeners.bind(connection);
    const tap: RowTap = { sink: null, behind: [] };
    const plain = connection.ssl ? null : readsInto(received);
    if (plain) connection.stream = plain.socket;
    taps.set(connection, tap);
    // The driver reports it as soon as a statement's last message was read, before it reads the next one's first.
    this.on('drain', () => tap.behind.shift()?.begin());
    this.on('end', () => {
      for (const one of tap.behind.splice(0)) one.fail(new Error('Connection terminated unexpectedly'));
    });
    connection.attachListeners = (stream) =>
      attach({
        on(event, listener) {
          if (event !== 'data') return stream.on(event, listener);
          const read = readMessages(tap, listener);
          if (plain) plain.read = read;
          else stream.on(event, (chunk) => read(chunk, chunk.length));
        },
      });
  }
}

/** `read` gets the bytes and their number synchronously, not as an event of a stream. */
type Read = (bytes: Buffer, length: number) => void;

function readsInto(bytes: Buffer): { readonly socket: Socket; read: Read } {
  // The constructor takes what `connect` takes, which its types do not know.
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: {
      buffer: bytes,
      callback(length) {
        plain.read(bytes, length);
        return true;
      },
    },
  };
  const plain = { socket: new Socket(options), read: (() => {}) as Read };
  return plain;
}

export function tapOf(client: object): RowTap {
  const tap = taps.get(driverConnection(client));
  if (!tap) throw new Error('The connection has no row tap.');
  return tap;
}

/**
 * Follows the boundaries of messages: wanted rows go to the sink, everything else to the driver, in order and as a copy, because it
 * keeps some bytes, such as the salt of a password.
 */
function readMessages(tap: RowTap, forward: (bytes: Buffer) => void): Read {
  let parts: Buffer[] = [];
  let held = 0;
  let needed = 0;

  return (chunk, size) => {
    let bytes = chunk;
    let length = size;
    if (held > 0) {
      parts.push(copyOf(chunk, 0, size));
      held += size;
      // A message of many chunks is put together once, not with each of them.
      if (held < needed) return;
      bytes = Buffer.concat(parts, held);
      length = held;
      parts = [];
      held = 0;
    }
    let at = 0;
    let passed = 0;
    needed = 5;
    while (at + 5 <= length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > length) {
        needed = end - at;
        break;
      }
      if (bytes[at] === dataRow && (tap.sink || tap.behind.length > 0)) {
        // The bytes before it may end a statement and start the next one, to which this row belongs.
        if (passed < at) forward(copyOf(bytes, passed, at));
        passed = at;
        if (tap.sink) {
          tap.sink.row(bytes, at + 5, end);
          passed = end;
        }
      }
      at = end;
    }
    if (passed < at) forward(copyOf(bytes, passed, at));
    if (at === length) return;
    parts = [copyOf(bytes, at, length)];
    held = length - at;
  };
}

function copyOf(bytes: Buffer, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafe(end - start);
  bytes.copy(copy, 0, start, end);
  return copy;
}
