import { type Sql, sql } from '@kontor/database';
import { BadValue, defineKind, isAbsent, type Preparation } from './kind.ts';

/** Bytes; base64 on the wire, `bytea` in the database. Server code reads base64 and may write bytes. */
const shared = {
  column: () => 'bytea',
  toParameter: (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value),
  fromCell: (cell: unknown) => (cell === null ? null : asBase64(cell as string | Buffer)),
  cellToJson: (cell: unknown) => `"${asBase64(cell as string | Buffer)}"`,
  // The server would read it as digits: a third more to send, and three more copies in the main thread.
  cellSql: (value: Sql) => sql`replace(encode(${value}, 'base64'), chr(10), '')`,
  isEmpty: (value: unknown) => isAbsent(value) || value === '',
  prepare(value: unknown): Preparation | null {
    if (typeof value !== 'string' || value.length < longToCheck) return null;
    return {
      work: () => void checked.add(checkBase64(value)),
      forget: () => void checked.delete(value),
    };
  },
} as const;

/** Checking this takes some milliseconds. */
const longToCheck = 1_000_000;
/** What was checked before it is cast. */
const checked = new Set<string>();

const asBase64 = (cell: string | Buffer): string => (typeof cell === 'string' ? cell : cell.toString('base64'));

export const binaryKind = defineKind('binary', {
  ...shared,
  cast: (value) => (value instanceof Uint8Array ? value : shared.isEmpty(value) ? null : checkBase64(value)),
});

/** An image. SVG is rejected: it can contain scripts. */
export const imageKind = defineKind('image', {
  ...shared,
  cast(value) {
    if (shared.isEmpty(value)) return null;
    const text = checkBase64(value);
    if (imageType(Buffer.from(text.slice(0, 64), 'base64')) === null) {
      throw new BadValue('Use a PNG, JPEG, GIF or WebP picture.');
    }
    return text;
  },
});

/**
 * Buffer decodes anything without an error: it skips what is no base64, so that bytes are missing, takes the letters of addresses, and of
 * letters beyond ASCII a part. Only the end can be written in several ways.
 */
function checkBase64(value: unknown): string {
  if (typeof value !== 'string') throw new BadValue('Must be a file as base64 text.');
  if (checked.has(value)) return value;
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  const end = value.slice(-4);
  const isWhole =
    value.length % 4 === 0 &&
    Buffer.byteLength(value) === value.length &&
    !value.includes('-') &&
    !value.includes('_') &&
    Buffer.from(value, 'base64').length === (value.length / 4) * 3 - padding &&
    Buffer.from(end, 'base64').toString('base64') === end;
  if (!isWhole) throw new BadValue('This is not valid base64.');
  return value;
}

/** The media type of the first bytes, or null for anything else. */
export function imageType(bytes: Buffer): string | null {
  const latin = bytes.toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (latin.startsWith('GIF87a') || latin.startsWith('GIF89a')) return 'image/gif';
  if (latin.startsWith('RIFF') && latin.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}
