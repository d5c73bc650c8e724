import { parseStrictJson } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON from the bytes of a body; bytes that are not UTF-8 are refused, not replaced. */
export function readJsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new KontorError('INVALID_JSON', 'The body is empty.');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new KontorError('INVALID_JSON', 'The body is not UTF-8.');
  }
  return parseStrictJson(text);
}
