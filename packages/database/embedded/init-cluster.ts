import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { roles } from './access-files.ts';
import { spawnAs } from './account.ts';
import { type Place, privateDirectory } from './choose-place.ts';
import type { EmbeddedLog } from './embedded-server.ts';
import { explainFailure } from './explain-failure.ts';

const run = promisify(execFile);

export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Sorts text as users expect in any language. Builds without ICU use code point order, the same on every machine. */
const collations = [
  ['--locale-provider=icu', '--icu-locale=und', '--locale=C'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
];

export interface ClusterProgram {
  readonly directory: string;
  readonly major: number;
}

/** Creates the cluster if there is none, and rejects one of another major version. */
export async function initCluster(place: Place, program: ClusterProgram, log: EmbeddedLog): Promise<void> {
  removeHalfMade(place.home);
  const version = join(place.cluster, 'PG_VERSION');
  if (existsSync(version)) return checkMajor(place.cluster, readFileSync(version, 'utf8').trim(), program.major);
  if (existsSync(place.cluster) && readdirSync(place.cluster).length > 0) {
    throw new Error(
      `${place.cluster} is not a PostgreSQL cluster and not empty. Move it away, or use another --data-dir.`,
    );
  }
  log.info(`Making a new database in ${place.cluster}.`);
  const half = join(place.home, `cluster.new-${process.pid}`);
  try {
    await makeCluster(half, place, program, log);
    if (existsSync(place.cluster)) rmdirSync(place.cluster);
    renameSync(half, place.cluster);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** An interrupted start leaves a directory behind that nothing refers to. */
function removeHalfMade(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith('cluster.new-')) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function checkMajor(cluster: string, found: string, expected: number): void {
  if (Number.parseInt(found, 10) === expected) return;
  throw new Error(
    `The data in ${cluster} were written by PostgreSQL ${found}; this Kontor brings PostgreSQL ${expected}. To move them: ` +
      'make a backup with the Kontor version that wrote them, move the directory away, start this version, and restore ' +
      'the backup (docs/operations.md).',
  );
}

async function makeCluster(half: string, place: Place, program: ClusterProgram, log: EmbeddedLog): Promise<void> {
  for (const [index, collation] of collations.entries()) {
    privateDirectory(half, place.account);
    try {
      await initdb(half, collation, place, program);
      if (index > 0)
        log.warn('This PostgreSQL has no ICU: text is ordered by code point, capitals before small letters.');
      return;
    } catch (error) {
      const { stderr = '', code } = error as { stderr?: string; code?: unknown };
      rmSync(half, { recursive: true, force: true });
      if (!/ICU is not supported/.test(stderr)) throw new Error(initFailure(place, stderr, code), { cause: error });
    }
  }
}

/**
 * A complete cluster with Kontor's role and database, so that later starts need not check for them. It is written to disk once, at
 * the end.
 */
async function initdb(
  half: string,
  collation: readonly string[],
  { account }: Place,
  { directory }: ClusterProgram,
): Promise<void> {
  const start = (name: string, args: readonly string[]) =>
    run(join(directory, 'bin', name), args, { ...spawnAs(account), cwd: half, env: serverEnvironment });
  const options = ['-U', roles.admin, '-E', 'UTF8', '--auth=peer', '--no-instructions', ...collation];
  await start('initdb', ['-D', half, '--no-sync', ...options]);
  const filling = start('postgres', ['--single', '-D', half, '-c', 'fsync=off', '-c', 'exit_on_error=on', 'postgres']);
  filling.child.stdin?.end(
    `create role ${roles.owner} login createdb\ncreate database ${roles.owner} owner ${roles.owner}\n`,
  );
  await filling;
  await start('initdb', ['-D', half, '--sync-only']);
}

function initFailure(place: Place, stderr: string, code: unknown): string {
  if (code === 'ENOENT') {
    return 'The embedded PostgreSQL does not run on this system, which needs glibc (Alpine Linux has none). Set db_dsn.';
  }
  return `No database could be made in ${place.home}. ${explainFailure(stderr, `initdb, code ${String(code)}`)}`;
}
