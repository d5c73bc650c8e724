import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts one PostgreSQL for the whole test run, unless KONTOR_TEST_DSN names one. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.KONTOR_TEST_DSN) return async () => {};
  const dir = mkdtempSync(join(tmpdir(), 'kontor-test-'));
  chownSync(dir, 65534, 65534);
  const as = { uid: 65534, gid: 65534, cwd: dir };
  execFileSync(
    'initdb',
    [
      '-D',
      join(dir, 'd'),
      '-U',
      'kontor',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale-provider=icu',
      '--icu-locale=und',
      '-N',
    ],
    { ...as, stdio: 'ignore' },
  );
  const child = spawn(
    'postgres',
    [
      '-D',
      join(dir, 'd'),
      '-k',
      dir,
      '-c',
      'listen_addresses=',
      '-c',
      'fsync=off',
      '-c',
      'max_connections=200',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'wal_level=logical',
    ],
    { ...as, stdio: 'ignore' },
  );
  process.env.KONTOR_TEST_DSN = `postgres://kontor@localhost/postgres?host=${encodeURIComponent(dir)}`;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await gone;
    rmSync(dir, { recursive: true, force: true });
  };
}
