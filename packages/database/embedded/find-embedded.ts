import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConnectionConfig } from '../pool/parse-dsn.ts';
import { roles } from './access-files.ts';
import { notedHome } from './choose-place.ts';
import { postmasterFilePath, runningPostmaster } from './postmaster-file.ts';
import { socketPort } from './socket-directory.ts';

export interface FoundEmbedded {
  /** The directory with the cluster. */
  readonly home: string;
  /** How to reach it; null while it is not running. */
  readonly connection: ConnectionConfig | null;
}

/** Looks for the embedded database of a data directory, without creating or starting one; null: there is none. */
export function findEmbedded(dataDir: string): FoundEmbedded | null {
  const given = resolve(dataDir);
  const home = notedHome(given) ?? join(given, 'postgres');
  const cluster = join(home, 'cluster');
  if (!existsSync(join(cluster, 'PG_VERSION'))) return null;
  const host = runningPostmaster(cluster) && socketOf(cluster);
  return { home, connection: host ? { host, port: socketPort, user: roles.owner, database: roles.owner } : null };
}

/** PostgreSQL writes the directory of its socket into the fifth line of its pid file. */
function socketOf(cluster: string): string | null {
  const [, , , , directory = ''] = readFileSync(postmasterFilePath(cluster), 'utf8').split('\n');
  return directory === '' ? null : directory;
}
