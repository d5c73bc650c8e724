import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
/** Compressed beside the file by the build, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly etag: string;
  readonly encoding: string | null;
}

/**
 * A file of the folder by its address below it. Only plain names are looked up: no dots that climb, no hidden files, no
 * encodings of either, so that nothing outside the folder can be meant.
 */
export async function findStaticFile(folder: string, name: string, acceptEncoding: string): Promise<StaticFile | null> {
  const type = types[extname(name)];
  if (type === undefined || !isPlainPath(name)) return null;
  const path = join(folder, name);
  for (const [encoding, ending] of encodings) {
    if (!accepts(acceptEncoding, encoding)) continue;
    const compressed = await regularFile(path + ending);
    if (compressed) return describe(path + ending, type, compressed, encoding);
  }
  const plain = await regularFile(path);
  return plain && describe(path, type, plain, null);
}

function isPlainPath(name: string): boolean {
  return name.length <= 300 && name.split('/').every((part) => /^[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$/.test(part));
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0+)?$/.test(parameter));
  });
}

async function regularFile(path: string): Promise<Stats | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found : null;
}

function describe(path: string, type: string, { size, mtimeMs }: Stats, encoding: string | null): StaticFile {
  return { path, type, size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`, encoding };
}
