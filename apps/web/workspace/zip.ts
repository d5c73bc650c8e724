export interface ZipPart {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A ZIP of a few small files, compressed by the browser. */
export async function zipFile(parts: readonly ZipPart[], type = 'application/zip'): Promise<Blob> {
  return new Blob(zip(await Promise.all(parts.map(zipEntry))), { type });
}

interface ZipEntry {
  readonly name: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly crc: number;
}

async function zipEntry({ name, bytes }: ZipPart): Promise<ZipEntry> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  return { name: new TextEncoder().encode(name), data, size: bytes.length, crc: crc32(bytes) };
}

const localHead = 0x04034b50;
const centralHead = 0x02014b50;
const endHead = 0x06054b50;
/** 1 January 1980, the earliest ZIP date: the same content always gives the same file. */
const noDate = 0x21;

function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer>[] {
  const files: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, data, size, crc } of entries) {
    // Version, flags (names in UTF-8), deflated, time, date, checksum, sizes, length of the name.
    const facts: readonly Part[] = [
      [2, 20],
      [2, 0x800],
      [2, 8],
      [2, 0],
      [2, noDate],
      [4, crc],
      [4, data.length],
      [4, size],
      [2, name.length],
    ];
    const local = bytes([4, localHead], ...facts, [2, 0]);
    files.push(local, name, data);
    directory.push(
      bytes([4, centralHead], [2, 20], ...facts, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      name,
    );
    offset += local.length + name.length + data.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  const end = bytes([4, endHead], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, offset], [2, 0]);
  return [...files, ...directory, end];
}

type Part = readonly [width: 2 | 4, value: number];

/** Numbers as little-endian bytes. */
function bytes(...parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(parts.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(made.buffer);
  let at = 0;
  for (const [width, value] of parts) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return made;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(data: Uint8Array): number {
  let crc = -1;
  for (const byte of data) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 255] as number);
  return ~crc >>> 0;
}
