import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inPieces } from './envelope.ts';

export type Encoding = 'br' | 'gzip';

/** Answers that fit into one packet are not compressed. */
const leastLength = 1_400;

/** For JSON, the next levels take two to three times as long and save a tenth. */
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const gzipOptions = { level: 4 };

/** For streamed answers, speed matters more: a third of the time for a tenth more bytes, and fewer turns with larger chunks. */
const chunkSize = 65_536;
const brotliStream: BrotliOptions = { chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipStream = { chunkSize, level: 1 };

const packWhole: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, brotliOptions),
  gzip: (text) => promisify(gzip)(text, gzipOptions),
};

/**
 * The text in the encoding that the caller accepts, compressed or not; a long one in chunks as they are read. Only for answers
 * without a token (docs/security.md): next to text chosen by an attacker, the length of a compressed answer would reveal it.
 */
export async function packed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer | Readable> {
  reply.header('vary', 'accept-encoding');
  const encoding = text.length < leastLength ? null : chosenEncoding(request.headers['accept-encoding']);
  const body = inPieces(text);
  if (encoding === null) return body;
  reply.header('content-encoding', encoding);
  return body instanceof Readable ? packedStream(body, encoding) : packWhole[encoding](body);
}

/** Ends with its source, and closes the source when the caller disconnects. */
export function packedStream(source: Readable, encoding: Encoding): Transform {
  const packer = encoding === 'br' ? createBrotliCompress(brotliStream) : createGzip(gzipStream);
  return pipeline(source, packer, () => {});
}

/** The preferred encoding of an `Accept-Encoding` header, by its weights first. */
export function chosenEncoding(header: string | readonly string[] | undefined): Encoding | null {
  if (header === undefined) return null;
  const given = String(header);
  const [br, gz] = [weightOf(given, 'br'), weightOf(given, 'gzip')];
  if (br === 0 && gz === 0) return null;
  return br >= gz ? 'br' : 'gzip';
}

/** From 0 (not acceptable) to 1. */
export function weightOf(header: string, encoding: Encoding): number {
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    if (name !== encoding) continue;
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return weight === undefined ? 1 : Math.min(1, Math.max(0, Number(weight) || 0));
  }
  return 0;
}
