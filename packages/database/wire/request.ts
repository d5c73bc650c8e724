import type { BoundValue } from '../pool/bind-values.ts';

export interface Request {
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

/** Everything that one statement needs in one piece, so that it is one write and wakes the server once. */
export function requestBytes({ name, text, values, isDescribed, before, after }: Request): Buffer {
  const pieces = text === null ? [] : [parseMessage(name, text)];
  pieces.push(bindMessage(name, values.map(toParameter)));
  if (isDescribed) pieces.push(describePortal);
  pieces.push(execute);
  if (before !== null) pieces.unshift(controlMessages(before));
  if (after !== null) pieces.push(controlMessages(after));
  pieces.push(sync);
  return Buffer.concat(pieces);
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
