import { chownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles, writeAccessFiles } from './access-files.ts';
import type { Account } from './account.ts';
import { choosePlace, type Place, sharedBinaries } from './choose-place.ts';
import { lockDirectory } from './directory-lock.ts';
import type { EmbeddedLog, EmbeddedOptions, EmbeddedServer } from './embedded-server.ts';
import { endProcess } from './end-process.ts';
import { findBinaries } from './find-binaries.ts';
import { initCluster } from './init-cluster.ts';
import { postmasterFilePath, readPostmasterFile, runningPostmaster } from './postmaster-file.ts';
import { prepareBinaries } from './prepare-binaries.ts';
import { isSameProcess, isTaken } from './process-identity.ts';
import { socketDirectory, socketPort } from './socket-directory.ts';
import { type PostmasterOptions, startPostmaster } from './start-postmaster.ts';
import { type Supervisor, supervise } from './supervise.ts';

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  max_connections: '100',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // Data of this size is in memory or on an SSD; with the cost of a spinning disk, looking up 80 names would scan the
  // whole table.
  random_page_cost: '1.1',
  // Record values must not reach a log: no statements, no details, no errors that the caller receives anyway.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Starts the PostgreSQL that npm installed, in the data directory, reachable only through a private socket. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const binaries = findBinaries();
  const place = choosePlace(options.dataDir, options.log);
  const lock = await lockDirectory(place.home);
  try {
    const { supervisor, socketDir } = await bringUp(options, place, binaries, lock.wasAbandoned);
    const host = { host: socketDir, port: socketPort };
    return {
      connection: { ...host, user: roles.owner, database: roles.owner },
      admin: { ...host, user: roles.admin, database: 'postgres' },
      home: place.home,
      get pid() {
        return supervisor.pid;
      },
      onCrash: supervisor.onCrash,
      onRestart: supervisor.onRestart,
      stop: (patienceMs) => supervisor.stop(patienceMs).finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function bringUp(
  { log, settings }: EmbeddedOptions,
  place: Place,
  binaries: ReturnType<typeof findBinaries>,
  wasAbandoned: boolean,
): Promise<{ supervisor: Supervisor; socketDir: string }> {
  const copyTo = [...(place.account ? [sharedBinaries] : []), join(place.home, 'binaries')];
  const directory = prepareBinaries(binaries, { account: place.account, copyTo, log });
  await endOrphan(place, wasAbandoned, log);
  await initCluster(place, { directory, major: binaries.major }, log);
  writeAccessFiles(place);
  const socketDir = socketDirectory(place);
  const postmaster: PostmasterOptions = {
    place,
    directory,
    socketDir,
    settings: { ...defaultSettings, ...checkSettings(settings) },
    log,
  };
  const first = await startPostmaster(postmaster);
  return { supervisor: supervise({ first, restart: () => startPostmaster(postmaster), log }), socketDir };
}

function checkSettings(settings: EmbeddedOptions['settings'] = {}): Readonly<Record<string, string>> {
  for (const name of Object.keys(settings)) {
    if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`Not a PostgreSQL setting: ${JSON.stringify(name)}`);
  }
  return settings;
}

/**
 * Handles the remains of an earlier run: a server whose Kontor was killed is shut down properly; one that was started by hand is
 * left running and named; a pid file that names a foreign process is made harmless.
 */
async function endOrphan({ cluster, account }: Place, wasAbandoned: boolean, log: EmbeddedLog): Promise<void> {
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
 * PostgreSQL takes any live process with the recorded id for a running server, even after a reboot or in a new
 * container. Its own parent is the exception, so our id is written instead: the check for leftover shared memory, which
 * reads the rest of the file, still works.
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
