import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { KontorError, type Text, text } from '@kontor/protocol';

/** The limits of a tarball; an addon with its packages stays far below. */
export const tarballLimits = {
  packed: 32 * 1024 * 1024,
  file: 16 * 1024 * 1024,
  all: 128 * 1024 * 1024,
  files: 10_000,
};

export type PackedFiles = ReadonlyMap<string, Buffer>;

/**
 * The files of a tarball as npm packs it, by their path below its root folder. Nothing is written: a tarball with
 * anything that could be written outside of its folder (links, devices, paths with `..`) or fill the disk is rejected
 * as a whole.
 */
export async function readTarball(tarball: Buffer, limits = tarballLimits): Promise<PackedFiles> {
  if (tarball.length > limits.packed) throw tooLarge(limits);
  const files = new Map<string, Buffer>();
  let size = 0;
  for (const { path, isFolder, content } of entriesOf(await unzip(tarball, limits))) {
    const inside = insidePath(path);
    if (isFolder) continue;
    if (inside === '') throw leadsOut(path);
    if (files.has(inside)) throw refused(text('The tarball contains "{path}" twice.', { path: shown(path) }));
    size += content.length;
    if (content.length > limits.file || size > limits.all || files.size >= limits.files) throw tooLarge(limits);
    files.set(inside, content);
  }
  for (const path of files.keys()) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      if (files.has(path.slice(0, at))) throw leadsOut(path);
    }
  }
  return files;
}

async function unzip(tarball: Buffer, limits: typeof tarballLimits): Promise<Buffer> {
  // Headers and padding are added for every file.
  const maxOutputLength = limits.all + limits.files * 2_048;
  return promisify(gunzip)(tarball, { maxOutputLength }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(limits) : noTarball();
  });
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly content: Buffer;
}

const block = 512;

function* entriesOf(archive: Buffer): Generator<Entry> {
  let next: { readonly path?: string; readonly size?: number } = {};
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return;
    if (!isHeader(header)) throw noTarball();
    const type = String.fromCharCode(header[156] as number);
    const size = type === 'x' || type === 'g' ? octal(header, 124, 12) : (next.size ?? octal(header, 124, 12));
    const content = archive.subarray(at + block, at + block + size);
    if (content.length < size) throw noTarball();
    at += block + Math.ceil(size / block) * block;
    if (type === 'g') continue;
    if (type === 'x') {
      next = extended(content);
      continue;
    }
    const path = next.path ?? nameOf(header);
    next = {};
    if (type !== '0' && type !== '\0' && type !== '5') {
      const words = text('The tarball contains "{path}", which is neither a file nor a folder.', { path: shown(path) });
      throw refused(words);
    }
    yield { path, isFolder: type === '5', content };
  }
}

function isHeader(header: Buffer): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return sum === octal(header, 148, 8);
}

function nameOf(header: Buffer): string {
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  return [isUstar ? cut(header, 345, 155) : '', cut(header, 0, 100)].filter(Boolean).join('/');
}

function cut(header: Buffer, from: number, length: number): string {
  return header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
}

function octal(header: Buffer, from: number, length: number): number {
  const digits = cut(header, from, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw noTarball();
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** Of the extended header for a long name: `27 path=package/…`, each line with its length. */
function extended(content: Buffer): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.toString('latin1', at, at + 12), 10);
    if (!(length > 0) || at + length > content.length) throw noTarball();
    const [, key, value = ''] = /^\d+ ([^=]+)=(.*)\n$/s.exec(content.toString('utf8', at, at + length)) ?? [];
    if (key === 'path') found.path = value;
    if (key === 'size' && /^\d{1,12}$/.test(value)) found.size = Number(value);
    at += length;
  }
  return found;
}

/** Relative to the single root folder of the tarball: `package/models/book.ts` is `models/book.ts`. */
function insidePath(path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= 255);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not hold
  if (!isPlain || path.length > 1_000 || /[\\:\u0000-\u001f]/.test(path)) throw leadsOut(path);
  return parts.slice(1).join('/');
}

function leadsOut(path: string): KontorError {
  return refused(text('The tarball contains "{path}", which leads out of its folder.', { path: shown(path) }));
}

function tooLarge({ packed, file, all, files }: typeof tarballLimits): KontorError {
  const mega = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const values = { packed: mega(packed), file: mega(file), all: mega(all), files };
  return refused(
    text(
      'The tarball is too large: it may have {packed} MB, and {files} files of {file} MB each and {all} MB in all.',
      values,
    ),
  );
}

function noTarball(): KontorError {
  return refused(text('This is not a tarball of an npm package (.tgz).'));
}

function refused(words: Text): KontorError {
  return new KontorError('USER_ERROR', words);
}

/** The text in a message comes from the tarball, so it is shortened. */
function shown(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would break the line
  return path.slice(0, 120).replaceAll(/[\u0000-\u001f]/g, '?');
}
