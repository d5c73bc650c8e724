import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Account } from './account.ts';
import type { Place } from './choose-place.ts';
import type { EmbeddedLog } from './embedded-server.ts';
import { endProcess } from './end-process.ts';
import { postmasterFilePath, readPostmasterFile, runningPostmaster } from './postmaster-file.ts';
import { isSameProcess, isTaken } from './process-identity.ts';

/**
 * Deals with what an earlier run left: a server whose Kontor was killed is shut down properly; one that somebody
 * started by hand is left alone and named; a pid file that names a foreign process is made harmless.
 */
export async function endOrphan({ cluster, account }: Place, wasAbandoned: boolean, log: EmbeddedLog): Promise<void> {
  const orphan = runningPostmaster(cluster);
  if (!orphan) return disarmStaleFile(cluster, account);
  const owner = account?.uid ?? process.getuid?.();
  if (!wasAbandoned || orphan.uid !== owner) {
    throw new Error(
      `A PostgreSQL server that Kontor did not start (process ${orphan.pid}) runs on ${cluster}. Stop it first.`,
    );
  }
  log.warn(`The database server of a Kontor that was killed is still running (process ${orphan.pid}); stopping it.`);
  await endProcess({ pid: orphan.pid, hasEnded: () => !isSameProcess(orphan) });
}

/**
 * PostgreSQL takes any live process with the recorded id for a running server, also after a reboot or in a new
 * container. Its own parent is the exception, so our id goes in its place: the check for leftover shared memory,
 * which reads the rest of the file, stays in force.
 */
function disarmStaleFile(cluster: string, account: Account | null): void {
  const file = readPostmasterFile(cluster);
  if (!file || !isTaken(file.pid)) return;
  const path = postmasterFilePath(cluster);
  const half = `${path}.${process.pid}`;
  writeFileSync(half, readFileSync(path, 'utf8').replace(/^\d+/, String(process.pid)), { flag: 'wx', mode: 0o600 });
  if (account) chownSync(half, account.uid, account.gid);
  renameSync(half, path);
}
