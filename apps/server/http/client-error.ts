import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { KontorError } from '@kontor/protocol';
import { errorEnvelope } from './envelope.ts';
import { safetyOf } from './security-headers.ts';

interface Refusal {
  readonly line: string;
  readonly error: KontorError;
}

const malformed: Refusal = {
  line: '400 Bad Request',
  error: new KontorError('INVALID_ARGS', 'This is not a request of HTTP.'),
};
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: new KontorError('PAYLOAD_TOO_LARGE', 'The headers are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    error: new KontorError('INVALID_ARGS', 'The request took too long to arrive.'),
  },
};

/** Answers what is no HTTP, or too slow, as well as it can be answered, and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { line, error: shown } = refusals[error.code ?? ''] ?? malformed;
  const body = errorEnvelope(shown);
  const head = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries({ 'x-request-id': randomUUID(), ...safetyOf(randomUUID()) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
