import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** Distinguishes a process from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own format; equal only for the same process. */
  readonly started: string;
}

export interface ProcessFacts extends ProcessIdentity {
  readonly command: string;
  readonly uid: number;
}

/** The facts about a running process, or null if there is none with this id. */
export function inspectProcess(pid: number): ProcessFacts | null {
  if (!isTaken(pid)) return null;
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isSameProcess(identity: ProcessIdentity): boolean {
  return inspectProcess(identity.pid)?.started === identity.started;
}

/** Whether the id is in use; a zombie still uses it. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fromProc(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited; its parent has not collected it yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, started: fields[19] ?? '', command, uid: statSync(`/proc/${pid}`).uid };
  } catch {
    return null;
  }
}

function fromPs(pid: number): ProcessFacts | null {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'uid=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const found = /^\s*(-?\d+)\s+(\w+ \w+\s+\d+ [\d:]+ \d+)\s+(.*)$/m.exec(line);
    if (!found) return null;
    return { pid, uid: Number(found[1]) >>> 0, started: found[2] ?? '', command: found[3] ?? '' };
  } catch {
    return null;
  }
}
