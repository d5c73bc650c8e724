import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspectProcess, isSameProcess, type ProcessIdentity } from './process-identity.ts';

interface Holder extends ProcessIdentity {
  readonly host: string;
  /** Distinguishes two servers of one process. */
  readonly token: string;
}

export interface DirectoryLock {
  /** The previous holder ended without releasing the lock: killed, or the machine went down. */
  readonly wasAbandoned: boolean;
  release(): void;
}

const beatMs = 10_000;
/** A process on another machine cannot be looked up; its lock counts as abandoned after this long without an update. */
const silentMs = 3 * beatMs;
const settleMs = 20;

/** One Kontor per directory. PostgreSQL's own pid file protects the data; this names the owner and detects orphans. */
export async function lockDirectory(home: string): Promise<DirectoryLock> {
  const path = join(home, 'kontor.lock');
  const token = Math.random().toString(36).slice(2);
  const me: Holder = {
    pid: process.pid,
    started: inspectProcess(process.pid)?.started ?? '',
    host: hostname(),
    token,
  };
  const mine = `${path}.${me.pid}-${token}`;
  writeFileSync(mine, `${JSON.stringify(me)}\n`, { flag: 'wx', mode: 0o644 });
  try {
    const wasAbandoned = !tryLink(mine, path);
    if (wasAbandoned) {
      refuseWhenHeld(home, path);
      renameSync(mine, path);
      // Two starts may find the same abandoned lock; the later rename wins, and the earlier one sees it here.
      await pause(settleMs);
      if (readHolder(path)?.token !== token) refuseWhenHeld(home, path);
    }
    const beat = setInterval(() => touch(path), beatMs).unref();
    return {
      wasAbandoned,
      release() {
        clearInterval(beat);
        if (readHolder(path)?.token === token) rmSync(path, { force: true });
      },
    };
  } finally {
    rmSync(mine, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return tryCopy(from, to);
  }
}

/** For file systems without hard links. */
function tryCopy(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function refuseWhenHeld(home: string, path: string): void {
  const holder = readHolder(path);
  if (!holder || !isHeld(holder, path)) return;
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  throw new Error(
    `The database in ${home} is in use by process ${holder.pid}${where}. Stop that process first, or use another --data-dir. ` +
      'Several Kontor processes can share one database through db_dsn.',
  );
}

function isHeld(holder: Holder, path: string): boolean {
  if (holder.host === hostname()) return isSameProcess(holder);
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < silentMs;
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The directory was removed while we use it; the server will report that itself.
  }
}
