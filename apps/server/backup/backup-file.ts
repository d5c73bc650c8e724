import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { decrypt, encrypt, encryptedMark } from './encryption.ts';

export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a script compressed, and encrypted with a passphrase; the file is complete or does not exist, and only its owner can read
 * it.
 */
export async function writeBackupFile(
  path: string,
  script: AsyncIterable<Buffer>,
  passphrase: string | null,
): Promise<WrittenFile> {
  const half = `${path}.part-${process.pid}`;
  const packed = through(script, createGzip({ level: 4 }));
  const hash = createHash('sha256');
  const file = await open(half, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of passphrase === null ? packed : encrypt(packed, passphrase)) {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece);
    }
    await file.sync();
    await file.close();
    await rename(half, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(half, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export async function isEncrypted(path: string): Promise<boolean> {
  if (!existsSync(path) || !statSync(path).isFile()) throw new Error(`There is no file ${path}.`);
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(encryptedMark.length);
    await file.read(head, 0, head.length, 0);
    return head.equals(encryptedMark);
  } finally {
    await file.close();
  }
}

/** The script in a file; a compressed one that `psql` could run as well when it is not encrypted. */
export async function* readBackupFile(path: string, passphrase: string | null): AsyncGenerator<Buffer> {
  const stored: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 262_144 });
  try {
    yield* through(passphrase === null ? stored : decrypt(stored, passphrase), createGunzip());
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') {
      throw new Error(`${path} is not a backup of Kontor, or it is incomplete or has been modified.`);
    }
    throw error;
  }
}

/** Errors of the input are thrown by the output. */
function through(source: AsyncIterable<Buffer>, transform: Transform): AsyncIterable<Buffer> {
  pipeline(source, transform, () => {});
  return transform;
}
