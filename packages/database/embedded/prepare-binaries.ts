import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, canReach } from './account.ts';
import { openDirectory } from './choose-place.ts';
import type { EmbeddedLog } from './embedded-server.ts';
import type { Binaries } from './find-binaries.ts';

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

export interface BinariesPlace {
  readonly account: Account | null;
  /** Where a copy may go, best first, when the installed files cannot be used in place. */
  readonly copyTo: readonly string[];
  readonly log: EmbeddedLog;
}

/**
 * A directory from which the server runs: the installed one, with the library links that npm cannot ship and that its
 * install script may not have made, or a copy where the installed one cannot be completed or reached.
 */
export function prepareBinaries(binaries: Binaries, place: BinariesPlace): string {
  const isUsable = !place.account || mayUse(binaries.directory, place.account);
  if (isUsable && linkLibraries(binaries.directory)) return binaries.directory;
  const failures: string[] = [];
  for (const parent of place.copyTo) {
    const directory = join(parent, `postgres-${binaries.version}`);
    try {
      if (!existsSync(directory)) {
        copyBinaries(binaries.directory, directory);
        place.log.info(`The PostgreSQL programs were copied to ${directory}, where the server can use them.`);
      }
      return directory;
    } catch (error) {
      failures.push(`${directory}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `The PostgreSQL programs in ${binaries.directory} cannot be used by ${place.account?.name ?? 'this user'}, ` +
      `and copying them failed (${failures.join('; ')}). Make that directory readable, or set db_dsn.`,
  );
}

/** An install under a closed home or a strict umask leaves files that only their owner can read. */
function mayUse(directory: string, account: Account): boolean {
  return ['bin/postgres', 'bin/initdb', 'lib/postgresql/plpgsql.so', 'share/postgresql/postgres.bki']
    .map((path) => join(directory, path))
    .every((path) => canReach(path, account) && (!existsSync(path) || (statSync(path).mode & 0o004) !== 0));
}

/** False if links are missing and the directory cannot be written. */
function linkLibraries(directory: string): boolean {
  for (const { source, target } of missingLinks(directory)) {
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function missingLinks(directory: string): LibraryLink[] {
  const list = join(directory, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as LibraryLink[];
  const root = dirname(directory);
  return links
    .map(({ source, target }) => ({ source: join(root, source), target: join(root, target) }))
    .filter(({ source, target }) => existsSync(source) && !existsSync(target));
}

/** Completed under another name first, so that an interrupted copy is never used. */
function copyBinaries(from: string, to: string): void {
  const parent = dirname(to);
  openDirectory(parent);
  const half = join(parent, `.${basename(to)}-${process.pid}`);
  const native = join(half, 'native');
  rmSync(half, { recursive: true, force: true });
  try {
    cpSync(from, native, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    if (!linkLibraries(native)) throw new Error('its library links could not be made');
    openForAll(native);
    renameSync(native, to);
  } catch (error) {
    // Another start created the same copy in the meantime.
    if (!existsSync(join(to, 'bin', 'postgres'))) throw error;
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

function openForAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = statSync(path);
    chmodSync(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644);
  }
}
