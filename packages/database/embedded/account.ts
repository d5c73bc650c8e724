import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The unprivileged account that runs the server if Kontor runs as root, which PostgreSQL rejects. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const candidates = ['nobody', 'daemon'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function readAccounts(passwd = '/etc/passwd'): readonly Account[] {
  return readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((parts) => parts.length >= 4 && !parts[0]?.startsWith('#'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}

export function unprivilegedAccount(): Account {
  const accounts = readAccounts();
  for (const name of candidates) {
    const found = accounts.find((account) => account.name === name && account.uid !== 0);
    if (found) return found;
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account "nobody" to run it under. ' +
      'Start Kontor as an ordinary user, add the account, or set db_dsn.',
  );
}

/** The account that owns a path; null for root and unknown owners. */
export function ownerOf(path: string): Account | null {
  const { uid, gid } = statSync(path);
  if (uid === 0) return null;
  return readAccounts().find((account) => account.uid === uid) ?? { name: `uid ${uid}`, uid, gid };
}

/** Whether the account may pass through every directory above `path`, by mode bits. */
export function canReach(path: string, account: Account): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const stats = statSync(dir, { throwIfNoEntry: false });
    if (stats && !mayEnter(stats, account)) return false;
    if (dir === dirname(dir)) return true;
  }
}

function mayEnter(stats: { mode: number; uid: number; gid: number }, account: Account): boolean {
  if (stats.uid === account.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === account.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}

/** What `spawn` needs to run a program as the account. */
export function spawnAs(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}
