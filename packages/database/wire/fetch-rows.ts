import type { Writable } from 'node:stream';
import type { BoundValue } from '../pool/bind-values.ts';
import type { Lease } from '../pool/lease.ts';
import type { Column } from './cells.ts';
import { driverClient, driverConnection } from './driver-connection.ts';
import { type RowSink, type RowTap, tapOf } from './row-tap.ts';

/** Takes the rows of one statement and makes something of them. */
export interface RowReader<T> extends RowSink {
  /** Called before the first row. */
  begin(columns: readonly Column[]): void;
  end(): T;
}

/** How much a statement may answer with. */
export interface AnswerBounds {
  readonly maxBytes: number;
  /** The error to throw when the limit is exceeded; later rows are dropped. */
  readonly tooLarge: () => Error;
}

export interface Fetched<T> {
  readonly rows: T;
  readonly rowCount: number;
  /** From its turn on the connection to its last message. */
  readonly tookMs: number;
  /** As of an answer. */
  readonly isUncopied: boolean;
}

interface Wanted<T> {
  readonly text: string;
  /** Empty: sent once and not kept. */
  readonly name: string;
  readonly values: readonly BoundValue[];
  readonly reader: RowReader<T>;
  readonly bounds: AnswerBounds | undefined;
  /** As in a request. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What the driver asks of a query that is not its own. */
interface Submittable {
  readonly name: string;
  readonly text: string;
  /** Ours: writes it to the connection. */
  send(): void;
  submit(): Error | null;
  handleRowDescription(message: { readonly fields: readonly DriverField[] }): void;
  handleDataRow(): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
interface DriverField {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * Sends one statement and hands its rows over as bytes. A statement that the connection knows is not described again: its
 * result cannot change, the server would refuse it instead.
 */
export function fetchRows<T>(lease: Lease, wanted: Wanted<T>): Promise<Fetched<T>> {
  return new Promise((resolve, reject) => {
    const query = submittable(lease, wanted, resolve, reject);
    if (lease.sharedFor && !driverClient(lease.client).readyForQuery) sendAhead(lease, query, reject);
    else lease.client.query(query);
  });
}

/** The server finds the statement when it is done with the one before, and need not be woken for it. */
function sendAhead({ client }: Lease, query: Submittable, reject: (error: unknown) => void): void {
  query.send();
  tapOf(client).behind.push({ begin: () => void client.query(query), fail: reject });
}

// Over 60 lines: the callbacks of one statement share its progress on the wire.
function submittable<T>(
  { statements, client, marks, sharedFor }: Lease,
  { text, name, values, reader, bounds, before, after }: Wanted<T>,
  resolve: (fetched: Fetched<T>) => void,
  reject: (error: unknown) => void,
): Submittable {
  const { stream, parsedStatements } = driverConnection(client);
  const rows = tapRows(tapOf(client), reader, bounds);
  const known = name === '' ? undefined : statements.columnsOf(name);
  let rowCount = 0;
  // BEGIN completes before the statement does, and COMMIT after it.
  let completed = before === null ? 0 : -1;
  let hasColumns = known !== undefined;
  let isSent = false;
  let isSentParsed = false;
  let begunAt = 0;

  function send(): void {
    isSent = true;
    isSentParsed = name !== '' && parsedStatements[name] !== undefined;
    const isDescribed = !(isSentParsed && known);
    if (!stream.writable) return;
    if (sharedFor === 'read') holdTurn(stream);
    writeTogether(stream, requestBytes({ name, text: isSentParsed ? null : text, values, isDescribed, before, after }));
  }

  function learn(columns: readonly Column[]): void {
    hasColumns = true;
    if (name !== '') statements.keepColumns(name, columns);
    reader.begin(columns);
  }

  return {
    name,
    text,
    send,
    submit() {
      begunAt = performance.now();
      if (!isSent) send();
      if (known && isSentParsed) reader.begin(known);
      rows.open();
      return null;
    },
    handleRowDescription({ fields }) {
      learn(fields.map((field) => ({ name: field.name, type: field.dataTypeID })));
    },
    // Rows go through the tap.
    handleDataRow: () => {},
    handleCommandComplete(message) {
      if (++completed !== 1) return;
      if (!hasColumns) learn([]);
      rowCount = Number(/(\d+)$/.exec(message.text)?.[1] ?? 0);
      if (message.text.startsWith('SELECT')) rows.expect(rowCount);
    },
    handleEmptyQuery: () => {},
    handleReadyForQuery() {
      rows.close();
      const { isUncopied } = marks;
      // What the server says next is about the one behind it.
      if (sharedFor) marks.isUncopied = false;
      try {
        resolve({ rows: rows.result(), rowCount, tookMs: performance.now() - begunAt, isUncopied });
      } catch (error) {
        reject(error);
      }
    },
    handleError(error) {
      rows.close();
      // The driver took the parsing of BEGIN for that of the statement, which may or may not have come to it.
      if (before !== null && name !== '' && !isSentParsed) statements.forget(name);
      reject(completed === 1 ? Object.assign(error, { isAtCommit: true }) : error);
    },
  };
}

/** The rows that come through the tap while it is open. What a reader throws is kept: the driver must read to the end. */
function tapRows<T>(
  tap: RowTap,
  reader: RowReader<T>,
  bounds: AnswerBounds | undefined,
): { open(): void; close(): void; expect(count: number): void; result(): T } {
  let failure: unknown = null;
  let size = 0;
  let seen = 0;
  const sink: RowSink = {
    row(bytes, start, end) {
      seen++;
      if (failure) return;
      size += end - start;
      if (bounds && size > bounds.maxBytes) {
        failure = bounds.tooLarge();
        return;
      }
      try {
        reader.row(bytes, start, end);
      } catch (error) {
        failure = error;
      }
    },
  };
  return {
    open: () => {
      tap.sink = sink;
    },
    close: () => {
      if (tap.sink === sink) tap.sink = null;
    },
    expect: (count) => {
      if (seen !== count) failure ??= new Error(`The database sent ${count} rows, and ${seen} were read.`);
    },
    result: () => {
      if (failure) throw failure;
      return reader.end();
    },
  };
}

interface Request {
  /** The prepared statement's name; empty for one that is used once. */
  readonly name: string;
  /** Given when the server does not know the statement yet. */
  readonly text: string | null;
  readonly values: readonly BoundValue[];
  readonly isDescribed: boolean;
  /** Transaction control that goes in front of the statement or behind it, in the same round trip. */
  readonly before: string | null;
  readonly after: string | null;
}

const bind = 0x42;
const describePortal = Buffer.from('\x44\0\0\0\x06P\0', 'latin1');
const execute = Buffer.from('\x45\0\0\0\x09\0\0\0\0\0', 'latin1');
const sync = Buffer.from('\x53\0\0\0\x04', 'latin1');

/** Everything that one statement needs. */
function requestBytes({ name, text, values, isDescribed, before, after }: Request): readonly Buffer[] {
  const pieces = text === null ? [] : [parseMessage(name, text)];
  pieces.push(bindMessage(name, values.map(toParameter)));
  if (isDescribed) pieces.push(describePortal);
  pieces.push(execute);
  if (before !== null) pieces.unshift(controlMessages(before));
  if (after !== null) pieces.push(controlMessages(after));
  pieces.push(sync);
  return pieces;
}

/** A message of so many bytes is not copied once more to be one piece with those around it. */
const largeBytes = 65_536;

/** One write, which wakes the server once. */
function writeTogether(stream: Writable, pieces: readonly Buffer[]): void {
  if (pieces.every(({ length }) => length < largeBytes)) {
    stream.write(Buffer.concat(pieces));
    return;
  }
  stream.cork();
  for (const piece of pieces) stream.write(piece);
  stream.uncork();
}

/** Buffers writes until the end of this turn of the event loop and sends them with one system call. */
function holdTurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

const controls = new Map<string, Buffer>();

/** A statement without parameters or rows, such as BEGIN. There are few of them, so they are kept. */
function controlMessages(text: string): Buffer {
  let bytes = controls.get(text);
  if (!bytes) {
    bytes = Buffer.concat([parseMessage('', text), bindMessage('', []), execute]);
    controls.set(text, bytes);
  }
  return bytes;
}

type Parameter = string | Buffer | null;

function toParameter(value: BoundValue): Parameter {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  return typeof value === 'object' ? arrayLiteral(value) : String(value);
}

function parseMessage(name: string, text: string): Buffer {
  const body = Buffer.from(`${name}\0${text}\0\0\0`, 'utf8');
  const head = Buffer.allocUnsafe(5);
  head[0] = 0x50;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function lengthOf(value: Parameter): number {
  if (value === null) return 0;
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

function bindMessage(name: string, parameters: readonly Parameter[]): Buffer {
  // The length, an empty portal name, the statement's name, two counts, a format each, no result formats.
  let length = 4 + 1 + name.length + 1 + 2 + 2 * parameters.length + 2 + 2;
  for (const value of parameters) length += 4 + lengthOf(value);
  const bytes = Buffer.allocUnsafe(1 + length);
  bytes[0] = bind;
  let at = bytes.writeInt32BE(length, 1);
  bytes[at++] = 0;
  at += bytes.write(name, at, 'latin1');
  bytes[at++] = 0;
  at = bytes.writeInt16BE(parameters.length, at);
  for (const value of parameters) at = bytes.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at);
  at = bytes.writeInt16BE(parameters.length, at);
  for (const value of parameters) at = writeParameter(bytes, at, value);
  bytes.writeInt16BE(0, at);
  return bytes;
}

function writeParameter(bytes: Buffer, at: number, value: Parameter): number {
  if (value === null) return bytes.writeInt32BE(-1, at);
  const written = typeof value === 'string' ? bytes.write(value, at + 4, 'utf8') : value.copy(bytes, at + 4);
  bytes.writeInt32BE(written, at);
  return at + 4 + written;
}

/** An array as PostgreSQL reads it from text: `{1,"two",NULL}`. */
function arrayLiteral(values: readonly BoundValue[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++)
    text += i === 0 ? element(values[i] as BoundValue) : `,${element(values[i] as BoundValue)}`;
  return `${text}}`;
}

function element(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quote(value);
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  return typeof value === 'object' ? arrayLiteral(value) : String(value);
}

function quote(text: string): string {
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
