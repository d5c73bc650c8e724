import { Client, type ClientConfig } from 'pg';
import { driverConnection, type SocketEvents } from './driver-connection.ts';

/** Where the rows of a statement go, as they are on the wire. */
export interface RowSink {
  /** One row up to `end`: from `start` a count of cells (int16), then each cell's length (int32, -1: null) and bytes. */
  row(bytes: Buffer, start: number, end: number): void;
}

/** Stands between a connection's socket and the driver, and takes rows out where somebody wants them unparsed. */
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

/** The driver's client with a tap. The driver makes an object and a text for every cell, which is slow for large lists. */
export class TappedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const connection = driverConnection(this);
    const attach = connection.attachListeners.bind(connection);
    const tap: RowTap = { sink: null, behind: [] };
    taps.set(connection, tap);
    // The driver says so as soon as a statement's last message was read, before it reads the next one's first.
    this.on('drain', () => tap.behind.shift()?.begin());
    this.on('end', () => {
      for (const one of tap.behind.splice(0)) one.fail(new Error('Connection terminated unexpectedly'));
    });
    connection.attachListeners = (stream) => attach(tapped(stream, tap));
  }
}

export function tapOf(client: object): RowTap {
  const tap = taps.get(driverConnection(client));
  if (!tap) throw new Error('The connection has no row tap.');
  return tap;
}

function tapped(stream: SocketEvents, tap: RowTap): SocketEvents {
  return {
    on: (event, listener) => stream.on(event, event === 'data' ? readMessages(tap, listener) : listener),
  };
}

/** Follows the messages' bounds: rows that are wanted go to the sink, everything else to the driver, in order. */
function readMessages(tap: RowTap, forward: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  let needed = 0;

  return (chunk) => {
    let bytes = chunk;
    if (held > 0) {
      parts.push(chunk);
      held += chunk.length;
      // A message of many chunks is put together once, not with each of them.
      if (held < needed) return;
      bytes = Buffer.concat(parts, held);
      parts = [];
      held = 0;
    }
    let at = 0;
    let passed = 0;
    needed = 5;
    while (at + 5 <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      if (bytes[at] === dataRow && (tap.sink || tap.behind.length > 0)) {
        // What comes before it may end a statement and begin the next one, whose row this is.
        if (passed < at) forward(bytes.subarray(passed, at));
        passed = at;
        if (tap.sink) {
          tap.sink.row(bytes, at + 5, end);
          passed = end;
        }
      }
      at = end;
    }
    if (passed < at) forward(bytes.subarray(passed, at));
    if (at === bytes.length) return;
    parts = [bytes.subarray(at)];
    held = bytes.length - at;
  };
}
