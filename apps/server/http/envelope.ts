import { Readable } from 'node:stream';
import { placeOfError } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { type ErrorCode, KontorError } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';
import { describeError } from '../logging/describe-error.ts';

/** The one place that shapes answers of the RPC envelope. `result` is JSON text. */
export function okEnvelope(result: string): string {
  return `{"ok":true,"result":${result},"error":null}`;
}

const streamedFrom = 256_000;
const pieceLength = 65_536;

/** A long text is sent in chunks as the caller reads them: encoding it at once would block all other requests. */
export function inPieces(text: string): string | Readable {
  return text.length < streamedFrom ? text : Readable.from(piecesOf(text));
}

function* piecesOf(text: string): Generator<string, void> {
  let at = 0;
  while (at < text.length) {
    let end = Math.min(at + pieceLength, text.length);
    // The two halves of a character stay together.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end++;
    yield text.slice(at, end);
    at = end;
  }
}

export function errorEnvelope(error: KontorError): string {
  const { code, message, details } = error;
  return toJson({ ok: false, result: null, error: { code, message, details } });
}

interface FailedRequest {
  readonly requestId: string;
  readonly bodyLimit: number;
  /** In development the caller is the author, so they get the error and its location. */
  readonly isDevelopment?: boolean;
}

/** What a caller may see of a failure; for an unexpected one only the request id. */
export function toCallerError(error: unknown, request: FailedRequest): KontorError {
  if (error instanceof KontorError && error.code !== 'INTERNAL_ERROR') return error;
  const known = fromFramework(error);
  if (known === 'PAYLOAD_TOO_LARGE') return new KontorError(known, undefined, { max: request.bodyLimit });
  if (known) return new KontorError(known);
  const told = request.isDevelopment ? forAuthor(error) : {};
  return new KontorError('INTERNAL_ERROR', undefined, { request_id: request.requestId, ...told });
}

/** The message, and the file and line where an addon's code failed. Never sent in production. */
function forAuthor(error: unknown): Readonly<Record<string, unknown>> {
  const { message, type } = describeError(error);
  const place = placeOfError(error);
  return { error: message ?? type, ...(place && { file: place.file, line: place.line }) };
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_JSON',
  FST_ERR_BAD_URL: 'INVALID_ARGS',
  FST_ERR_MAX_PARAM_LENGTH: 'INVALID_ARGS',
  ECONNRESET: 'INVALID_JSON',
};

function fromFramework(error: unknown): ErrorCode | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  const code = String(error.code);
  return Object.hasOwn(frameworkCodes, code) ? (frameworkCodes[code] as ErrorCode) : null;
}

/** Programs: callers that send or accept JSON, or use a path for programs. */
export function wantsJson(request: FastifyRequest): boolean {
  if (/^\/(?:api|metrics|web\/wc)(?:\/|$|\?)/.test(request.url)) return true;
  const { accept = '', 'content-type': type = '', 'x-api-key': key, authorization = '' } = request.headers;
  // Whoever sends a key is a program, which would take a page to sign in for its answer.
  if (key !== undefined || /^Bearer sk_/i.test(authorization)) return true;
  return isJsonType(type) || /\bapplication\/json\b/i.test(accept);
}

/** `application/json`, with or without parameters; JSON is UTF-8, so no other charset. */
export function isJsonType(type: string): boolean {
  const [media = '', ...parameters] = type.split(';');
  if (media.trim().toLowerCase() !== 'application/json') return false;
  return parameters.every((part) => !/^\s*charset\s*=/i.test(part) || /=\s*"?utf-?8"?\s*$/i.test(part));
}
