import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprint, type Place, privateDirectory } from './choose-place.ts';

export const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;

/** The limit of a socket address in bytes, without the final zero: 108 on Linux, 104 on macOS. */
const longestPath = process.platform === 'darwin' ? 103 : 107;

/** A private directory for the socket: beside the cluster, or a short one if that path is too long for a socket. */
export function socketDirectory({ home, account }: Place, runtimeDir = process.env.XDG_RUNTIME_DIR): string {
  const candidates = [
    join(home, 'socket'),
    ...(runtimeDir && !account ? [join(runtimeDir, `kontor-${fingerprint(home)}`)] : []),
    join(tmpdir(), `kontor-${process.getuid?.() ?? 0}-${fingerprint(home)}`),
    join('/tmp', `kontor-${process.getuid?.() ?? 0}-${fingerprint(home)}`),
  ];
  const failures: string[] = [];
  for (const directory of candidates) {
    if (Buffer.byteLength(join(directory, socketName)) > longestPath) continue;
    try {
      privateDirectory(directory, account);
      return directory;
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(
    `No directory for the database socket: its path may have ${longestPath} bytes. Use a shorter --data-dir. ${failures.join(' ')}`,
  );
}

/** Left behind by a killed server; its process id may belong to another process by now. */
export function clearSockets(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(socketName)) rmSync(join(directory, name), { force: true });
  }
}
