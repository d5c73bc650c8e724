import { isAscii } from 'node:buffer';
import { parseStrictJson } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';

export type Fields = Readonly<Record<string, unknown>>;

const mostFields = 10_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Fields of a post, from a JSON object or a form. A repeated form field is a list. */
export function readFields(request: FastifyRequest): Fields {
  const type = request.headers['content-type'] ?? '';
  if (/^application\/json\b/i.test(type)) return fromJson(request.body);
  if (request.body === undefined || request.body === null) return {};
  if (!Buffer.isBuffer(request.body)) throw new KontorError('UNSUPPORTED_MEDIA_TYPE');
  return fromForm(request.body);
}

/** A text field, trimmed; empty if absent. Other types are rejected by name. */
export function textField(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  throw new KontorError('INVALID_ARGS', `${name} must be a text.`, { field: name });
}

/** A record id in a field; null when the field is absent. */
export function idField(fields: Fields, name: string): number | null {
  const text = textField(fields, name).trim();
  if (text === '') return null;
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (Number.isInteger(id) && id > 0 && id <= 2_147_483_647) return id;
  throw new KontorError('INVALID_ARGS', `${name} must be a record id.`, { field: name });
}

function fromJson(body: unknown): Fields {
  const value = readJsonBody(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new KontorError('INVALID_ARGS', 'The body must be an object.');
}

function fromForm(body: Buffer): Fields {
  let text: string;
  try {
    text = textOf(body);
  } catch {
    throw new KontorError('INVALID_ARGS', 'The form is not UTF-8.');
  }
  const fields = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > mostFields) throw new KontorError('INVALID_ARGS', `A form has at most ${mostFields} fields.`);
    const known = fields[name];
    if (known === undefined) fields[name] = value;
    // Strangers send forms too: a copy of the list for each value would take time with their square.
    else if (Array.isArray(known)) known.push(value);
    else fields[name] = [known, value];
  }
  return fields;
}

/** Most bodies have a byte for each letter, which need no decoder. */
function textOf(body: Buffer): string {
  return isAscii(body) ? body.toString('latin1') : utf8.decode(body);
}

/** Parses the JSON of a body; bytes that are not UTF-8 are rejected, not replaced. */
export function readJsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new KontorError('INVALID_JSON', 'The body is empty.');
  let text: string;
  try {
    text = textOf(body);
  } catch {
    throw new KontorError('INVALID_JSON', 'The body is not UTF-8.');
  }
  return parseStrictJson(text);
}
