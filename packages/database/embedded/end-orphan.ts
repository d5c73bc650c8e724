import { chownSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Place } from './choose-place.ts';
import type { EmbeddedLog } from './embedded-server.ts';
import { endProcess } from './end-process.ts';
import { postmasterFilePath, readPostmasterFile, runningPostmaster } from './postmaster-file.ts';
import { inspectProcess, isSameProcess } from './process-identity.ts';

/**
 * Deals with what an earlier run left: a server whose Kontor was killed is shut down properly; one that somebody
 * started by hand is left alone and named; a pid file that names a foreign process is made harmless.
 */
export async function endOrphan({ cluster, account }: Place, wasAbandoned: boolean, log: EmbeddedLog): Promise<void> {
  const orphan = runningPostmaster(cluster);
  if (!orphan) return disarmStaleFile(cluster);
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
function disarmStaleFile(cluster: string): void {
  const file = readPostmasterFile(cluster);
  if (!file || !inspectProcess(file.pid)) return;
  const path = postmasterFilePath(cluster);
  const { uid, gid } = lstatSync(path);
  const text = readFileSync(path, 'utf8').replace(/^\d+/, String(process.pid));
  replaceFile(path, text, { uid, gid });
}

function replaceFile(path: string, text: string, owner: { uid: number; gid: number }): void {
  const half = `${path}.${process.pid}`;
  writeFileSync(half, text, { flag: 'wx', mode: 0o600 });
  chownSync(half, owner.uid, owner.gid);
  renameSync(half, path);
}
