import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Account, canReach, isRoot, ownerOf, unprivilegedAccount } from './account.ts';
import type { EmbeddedLog } from './embedded-server.ts';

export interface Place {
  /** Contains `cluster`, `socket`, the log and the lock. As root it belongs to root, so nobody can plant links in it. */
  readonly home: string;
  readonly cluster: string;
  /** The account to run under; null: the one Kontor itself runs as. */
  readonly account: Account | null;
}

/** Where data goes if root's data directory is closed to the account. */
const sharedRoot = '/var/lib/kontor';
export const sharedBinaries = join(sharedRoot, 'binaries');

export function choosePlace(dataDir: string, log: EmbeddedLog): Place {
  const given = resolve(dataDir);
  try {
    mkdirSync(given, { recursive: true });
  } catch (error) {
    throw new Error(`The data directory ${given} cannot be made: ${(error as Error).message}`);
  }
  return isRoot() ? placeForRoot(given, log) : placeFor(join(given, 'postgres'), null);
}

function placeForRoot(given: string, log: EmbeddedLog): Place {
  const noted = notedHome(given);
  const beside = join(given, 'postgres');
  if (noted) return placeFor(noted, existingOwner(noted) ?? unprivilegedAccount());
  const account = existingOwner(beside) ?? unprivilegedAccount();
  if (canReach(join(beside, 'cluster'), account)) return placeFor(beside, account);
  const home = join(sharedRoot, fingerprint(given));
  try {
    const place = placeFor(home, account);
    writeFileSync(noteIn(given), `${home}\n`, { mode: 0o644 });
    log.info(
      `${given} cannot be reached by the account ${account.name}, which runs the database: its data are in ${home}.`,
    );
    return place;
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root; the account ${account.name} that runs it cannot reach ${given}, and ${home} ` +
        `cannot be used (${(error as Error).message}). Start Kontor as an ordinary user, choose a --data-dir that every ` +
        'account can reach (such as /srv/kontor), or set db_dsn.',
    );
  }
}

function placeFor(home: string, account: Account | null): Place {
  if (account) openDirectory(home);
  else mkdirSync(home, { recursive: true, mode: 0o700 });
  if (!account) checkOwn(home);
  if (account && !canReach(join(home, 'cluster'), account)) {
    throw new Error(`${home} cannot be reached by the account ${account.name}`);
  }
  return { home, cluster: join(home, 'cluster'), account };
}

function checkOwn(home: string): void {
  for (const path of [home, join(home, 'cluster')]) {
    const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
    if (owner !== undefined && owner !== process.getuid?.()) {
      throw new Error(
        `${path} belongs to another account (uid ${owner}). Start Kontor as that account or as root, or use another --data-dir.`,
      );
    }
  }
}

/** A cluster that an ordinary user created continues to run as that user. */
function existingOwner(home: string): Account | null {
  const cluster = join(home, 'cluster');
  return existsSync(cluster) ? ownerOf(cluster) : null;
}

const noteIn = (given: string): string => join(given, 'postgres-location');

export function notedHome(given: string): string | null {
  const note = noteIn(given);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

export function fingerprint(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

/** A directory that belongs to the account and that no other user can enter. */
export function privateDirectory(path: string, account: Account | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  const owner = account?.uid ?? process.getuid?.() ?? stats.uid;
  if (!stats.isDirectory()) throw new Error(`${path} is not a directory.`);
  if (stats.uid !== owner) {
    if (!isRoot()) {
      throw new Error(
        `${path} belongs to another account (uid ${stats.uid}). Start Kontor as that account or as root.`,
      );
    }
    chownSync(path, owner, account?.gid ?? stats.gid);
  }
  chmodSync(path, 0o700);
}

/** Creates a directory that every account can traverse, with its parents, whatever the umask is. */
export function openDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755);
}
