import { createInflateRaw } from 'node:zlib';

/** Not a ZIP archive, or an unreadable one. */
export class ZipError extends Error {}
/** Its unpacked size exceeds the limit. */
export class TooLargeError extends Error {}

export interface ZipArchive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** The text of a file inside, part by part, up to the limit for the archive. */
  text(name: string): AsyncGenerator<string>;
}

interface Entry {
  readonly method: number;
  readonly flags: number;
  readonly offset: number;
  readonly packed: number;
}

const endHead = 0x06054b50;
const centralHead = 0x02014b50;
const localHead = 0x04034b50;
const endLength = 22;
const maxComment = 65_535;
const maxEntries = 10_000;

/** Reads the directory of an archive. `maxBytes` limits the total unpacked size. */
export function openZip(bytes: Buffer, maxBytes: number): ZipArchive {
  const entries = readDirectory(bytes);
  let left = maxBytes;
  async function* text(name: string): AsyncGenerator<string> {
    const entry = entries.get(name);
    if (!entry) throw new ZipError(`There is no ${name}.`);
    const decoder = new TextDecoder('utf-8');
    for await (const part of unpack(bytes, entry)) {
      left -= part.length;
      if (left < 0) throw new TooLargeError();
      yield decoder.decode(part, { stream: true });
    }
    yield decoder.decode();
  }
  return { names: [...entries.keys()], has: (name) => entries.has(name), text };
}

function readDirectory(bytes: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > maxEntries) throw new ZipError('There are too many files in the archive.');
  let at = bytes.readUInt32LE(end + 16);
  const entries = new Map<string, Entry>();
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== centralHead)
      throw new ZipError('The directory is broken.');
    const [names, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    entries.set(bytes.toString('utf8', at + 46, at + 46 + names), {
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + names + extra + comment;
  }
  return entries;
}

/** The end of the directory is at the end of the file, except for a comment. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - maxComment);
  for (let at = bytes.length - endLength; at >= first; at--) if (bytes.readUInt32LE(at) === endHead) return at;
  throw new ZipError('The archive has no directory.');
}

async function* unpack(bytes: Buffer, { method, flags, offset, packed }: Entry): AsyncGenerator<Buffer> {
  if (flags & 1) throw new ZipError('The archive has a password.');
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localHead) throw new ZipError('A file is broken.');
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + packed);
  if (method === 0) return yield data;
  if (method !== 8) throw new ZipError('A file is packed in an unknown way.');
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(data);
  try {
    for await (const part of inflate) yield part as Buffer;
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new ZipError('A file is broken.') : error;
  } finally {
    inflate.destroy();
  }
}
