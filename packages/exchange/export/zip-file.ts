import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A ZIP file with uncompressed entries: any system can open it. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: text, bytes } of entries) {
    const name = Buffer.from(text);
    const head = zipHead(name, bytes);
    parts.push(Buffer.concat([u32(0x04034b50), head, name]), bytes);
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), head, u16(0), u16(0), u16(0), u32(0), u32(offset), name]));
    offset += 30 + name.length + bytes.length;
  }
  const index = Buffer.concat(directory);
  const count = u16(entries.length);
  const end = Buffer.concat([u32(0x06054b50), u16(0), u16(0), count, count, u32(index.length), u32(offset), u16(0)]);
  return Buffer.concat([...parts, index, end]);
}

const utf8Names = 0x0800;
/** The earliest date of the format. */
const noDay = 0x21;

function zipHead(name: Buffer, bytes: Buffer): Buffer {
  const sizes = [u32(crc32(bytes)), u32(bytes.length), u32(bytes.length)];
  return Buffer.concat([u16(20), u16(utf8Names), u16(0), u16(0), u16(noDay), ...sizes, u16(name.length), u16(0)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
