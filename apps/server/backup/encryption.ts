import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

export const encryptedMark = Buffer.from('KONTOR ENCRYPTED BACKUP 1\n');

const saltBytes = 16;
const prefixBytes = 7;
const headBytes = encryptedMark.length + 1 + saltBytes + prefixBytes;
const tagBytes = 16;
const pieceBytes = 65_536;
/** 2 to this power: 128 MB and half a second for each guess at the passphrase. */
const cost = 17;
const greatestCost = 20;

/**
 * AES-256-GCM with a key derived from the passphrase by scrypt, in chunks, so that memory does not grow. The nonce of each chunk
 * contains its number and whether it is the last: none can be removed, moved or added.
 */
export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const head = Buffer.concat([encryptedMark, Buffer.from([cost]), randomBytes(saltBytes + prefixBytes)]);
  const key = await keyOf(head, passphrase);
  yield head;
  let number = 0;
  for await (const { piece, isLast } of inPieces(source, pieceBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(head, number++, isLast)).setAAD(head);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  let head: Buffer | null = null;
  let key: Buffer | null = null;
  let number = 0;
  const { first, rest } = await takeFirst(source, headBytes);
  head = first;
  if (head.length < headBytes) throw new Error('The backup is incomplete.');
  key = await keyOf(head, passphrase);
  for await (const { piece, isLast } of inPieces(rest, pieceBytes + tagBytes)) {
    yield open(piece, { head, key, number: number++, isLast });
  }
}

interface Sealed {
  readonly head: Buffer;
  readonly key: Buffer;
  readonly number: number;
  readonly isLast: boolean;
}

function open(piece: Buffer, { head, key, number, isLast }: Sealed): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(head, number, isLast)).setAAD(head);
    decipher.setAuthTag(piece.subarray(-tagBytes));
    return Buffer.concat([decipher.update(piece.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    throw new Error(
      number === 0
        ? 'The passphrase is wrong, or the backup is incomplete or has been modified.'
        : 'The backup is incomplete or has been modified.',
    );
  }
}

function nonce(head: Buffer, number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  head.copy(bytes, 0, headBytes - prefixBytes);
  bytes.writeUInt32BE(number, prefixBytes);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
}

function keyOf(head: Buffer, passphrase: string): Promise<Buffer> {
  const power = head[encryptedMark.length] as number;
  if (power > greatestCost) throw new Error('The backup is incomplete or has been modified.');
  const salt = head.subarray(encryptedMark.length + 1, encryptedMark.length + 1 + saltBytes);
  const options = { N: 2 ** power, r: 8, p: 1, maxmem: 2 ** power * 1_024 * 2 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of source) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    let at = 0;
    for (; held.length - at > size; at += size) yield { piece: held.subarray(at, at + size), isLast: false };
    held = held.subarray(at);
  }
  yield { piece: held, isLast: true };
}

async function takeFirst(
  source: AsyncIterable<Buffer>,
  length: number,
): Promise<{ first: Buffer; rest: AsyncIterable<Buffer> }> {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  while (held.length < length) {
    const { done, value } = await pieces.next();
    if (done) break;
    held = Buffer.concat([held, value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield held.subarray(length);
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { first: held.subarray(0, length), rest: rest() };
}
