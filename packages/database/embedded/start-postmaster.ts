import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, fchownSync, openSync, renameSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, spawnAs } from './account.ts';
import type { Place } from './choose-place.ts';
import type { EmbeddedLog } from './embedded-server.ts';
import { endProcess } from './end-process.ts';
import { explainFailure, readLogSince } from './explain-failure.ts';
import { serverEnvironment } from './init-cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { clearSockets } from './socket-directory.ts';

export interface PostmasterOptions {
  readonly place: Place;
  readonly directory: string;
  readonly socketDir: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: EmbeddedLog;
}

export interface Postmaster {
  readonly pid: number;
  /** Settles when the server has exited, with the reason. */
  readonly ended: Promise<string>;
  /** Properly within the given time, otherwise immediately: its next start then recovers from its log. */
  stop(patienceMs?: number): Promise<void>;
}

/** A copy with `standby.signal` follows another server and accepts reads. */
const readyStates = ['ready', 'standby'];
const leftoversMs = 10_000;
const largestLog = 5_000_000;
const slowStartMs = 10_000;
const longestStartMs = 600_000;

/** Starts the server and waits until it accepts connections, including crash recovery. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  for (const until = Date.now() + leftoversMs; ; ) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Sessions of a killed server notice its death within moments; until then PostgreSQL rightly refuses to start.
      if (!/pre-existing shared memory block/.test((error as Error).message) || Date.now() > until) throw error;
      await pause(100);
    }
  }
}

async function startOnce(options: PostmasterOptions): Promise<Postmaster> {
  const { place, socketDir } = options;
  clearSockets(socketDir);
  const logPath = join(place.home, 'postgres.log');
  rotate(logPath);
  const logStart = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  const child = launch(options, logPath);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`The database server could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      const ending = signal ? `signal ${signal}` : `exit code ${code}`;
      resolve(explainFailure(readLogSince(logPath, logStart), ending));
    });
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  child.unref();
  const pid = child.pid;
  if (pid === undefined) throw new Error(await ended);
  const watchdog = startWatchdog(pid, place.account);
  void ended.then(() => watchdog.end());
  await waitUntilReady(options, pid, ended, () => hasEnded);
  return {
    pid,
    ended,
    async stop(patienceMs) {
      const isClean = await endProcess({
        pid,
        hasEnded: () => hasEnded,
        ...(patienceMs !== undefined && { patienceMs }),
      });
      if (!isClean)
        options.log.warn('The database server had to be stopped by force; it repairs itself at the next start.');
    },
  };
}

function rotate(logPath: string): void {
  const size = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) renameSync(logPath, `${logPath}.1`);
}

function launch({ place, directory, socketDir, settings }: PostmasterOptions, logPath: string): ChildProcess {
  const assignments = Object.entries({ ...settings, unix_socket_directories: socketDir });
  const options = assignments.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = openLog(logPath, place.home);
  try {
    return spawn(join(directory, 'bin', 'postgres'), ['-D', place.cluster, ...options], {
      ...spawnAs(place.account),
      cwd: place.cluster,
      env: serverEnvironment,
      stdio: ['ignore', logFile, logFile],
      // In a group of its own: Ctrl-C in a terminal must reach Kontor first, which then stops the server in order.
      detached: true,
    });
  } finally {
    closeSync(logFile);
  }
}

/** Belongs to the owner of the directory, so that starts as root and as that account can alternate. */
function openLog(logPath: string, home: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(logPath, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  const { uid, gid } = statSync(home);
  fchownSync(file, uid, gid);
  return file;
}

async function waitUntilReady(
  { place, log }: PostmasterOptions,
  pid: number,
  ended: Promise<string>,
  hasEnded: () => boolean,
): Promise<void> {
  const began = Date.now();
  let nextNote = began + slowStartMs;
  while (Date.now() - began < longestStartMs) {
    if (hasEnded()) throw new Error(await ended);
    const file = existsSync(place.cluster) ? readPostmasterFile(place.cluster) : null;
    if (file?.pid === pid && readyStates.includes(file.status)) return;
    if (Date.now() > nextNote) {
      log.info('The database server is still starting; after a crash it reads its log first.');
      nextNote = Date.now() + slowStartMs;
    }
    await pause(10);
  }
  await endProcess({ pid, hasEnded });
  throw new Error(
    `The database server was not ready after ${longestStartMs / 60_000} minutes. See ${place.home}/postgres.log.`,
  );
}

/** Waits on a pipe that only this process holds: when it closes, this process has ended, for whatever reason. */
const script = 'read -r line || kill -INT "$1"';

/** Shuts the server down when Kontor is killed and cannot do it itself. */
function startWatchdog(pid: number, account: Account | null): { end(): void } {
  const child = spawn('/bin/sh', ['-c', script, 'kontor-watchdog', String(pid)], {
    ...spawnAs(account),
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell there is no watchdog; the next start still finds and ends an orphan.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  // A pipe to a child is a socket, whatever its type says; while open, it would keep this process alive.
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { end: () => child.stdin.end('done\n') };
}
