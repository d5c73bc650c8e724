import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isRoot, unprivilegedAccount } from '../embedded/account.ts';
import {
  createDatabase,
  createReplicaRouter,
  currentLsn,
  type Database,
  type EmbeddedServer,
  type ReplicaRouter,
  sql,
} from '../index.ts';
import { parseLsn } from '../replica.ts';
import { openDirectory, startForTest } from './embedded-fixture.ts';

const directory = openDirectory();
const dirs = { primary: join(directory.path, 'a'), standby: join(directory.path, 'b') };
let primaryServer: EmbeddedServer;
let standbyServer: EmbeddedServer;
let primary: Database;
let replica: Database;
let standbyAdmin: Database;
let router: ReplicaRouter;
const warned = vi.fn();
const patience = { timeout: 120_000, interval: 20 };

/** A streaming standby: a copy of the stopped cluster that is told whom to follow. */
async function makeStandby(): Promise<void> {
  primaryServer = await startForTest(dirs.primary);
  await primaryServer.stop();
  mkdirSync(join(dirs.standby, 'postgres'), { recursive: true });
  const copy = join(dirs.standby, 'postgres', 'cluster');
  execFileSync('cp', ['-a', join(primaryServer.home, 'cluster'), copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  const { host, port } = primaryServer.admin;
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = 'host=${host} port=${port} user=postgres'\n`);
  primaryServer = await startForTest(dirs.primary);
  if (isRoot()) await letIn(unprivilegedAccount().name);
  standbyServer = await startForTest(dirs.standby);
}

/** The standby connects as the account that runs it, which is not ours when we are root. */
async function letIn(account: string): Promise<void> {
  appendFileSync(join(primaryServer.home, 'cluster', 'pg_ident.conf'), `kontor ${account} postgres\n`);
  const admin = createDatabase({ connection: primaryServer.admin });
  await admin.query(sql`select pg_reload_conf()`);
  await admin.close();
}

beforeAll(async () => {
  await makeStandby();
  primary = createDatabase({ connection: primaryServer.connection, onWarning: () => {} });
  replica = createDatabase({ connection: standbyServer.connection, onWarning: () => {}, connectTimeoutMs: 2_000 });
  standbyAdmin = createDatabase({ connection: standbyServer.admin, onWarning: () => {} });
  await primary.execute(sql`create table counted (n int); insert into counted values (0)`);
  const lsn = parseLsn(await currentLsn(primary)) as bigint;
  await vi.waitFor(async () => {
    const [row] = await replica.arrays(sql`select pg_last_wal_replay_lsn()::text`);
    expect(parseLsn(row?.[0] as string)).toBeGreaterThanOrEqual(lsn);
  }, patience);
});
afterAll(async () => {
  await Promise.all([primary, replica, standbyAdmin].map((database) => database?.close()));
  await standbyServer?.stop();
  await primaryServer?.stop();
  directory.remove();
});

beforeEach(async () => {
  warned.mockClear();
  router = createReplicaRouter({ primary, replica, onWarning: warned, probeMs: 100, positionMs: 20 });
  await vi.waitFor(() => expect(router.isReplicaUp).toBe(true), patience);
});
afterEach(() => router.close());

async function write(): Promise<string> {
  await primary.execute(sql`update counted set n = n + 1`);
  return currentLsn(primary);
}
const isStandby = async (database: Database): Promise<unknown> =>
  (await database.arrays(sql`select pg_is_in_recovery()`))[0]?.[0];
const counted = async (database: Database): Promise<unknown> =>
  (await database.arrays(sql`select n from counted`))[0]?.[0];

test('GEN-4 who wrote nothing reads from the replica, without asking where it is', async () => {
  const before = primary.statements;
  expect(await isStandby(await router.forRead(null))).toBe(true);
  expect(primary.statements).toBe(before);
});

test('GEN-4 who wrote reads from the replica once it has replayed that, and sees it', async () => {
  const lsn = await write();
  await vi.waitFor(async () => expect(await isStandby(await router.forRead(lsn))).toBe(true), patience);
  expect(await counted(await router.forRead(lsn))).toBe(await counted(primary));
  const asked = replica.statements;
  for (let i = 0; i < 50; i++) await router.forRead(lsn);
  expect(replica.statements - asked).toBeLessThanOrEqual(2);
});

test('GEN-4 a replica that is behind leaves the writer on the primary, and others on the replica', async () => {
  await standbyAdmin.query(sql`select pg_wal_replay_pause()`);
  try {
    await vi.waitFor(async () => {
      expect(await standbyAdmin.arrays(sql`select pg_get_wal_replay_pause_state()`)).toEqual([['paused']]);
    }, patience);
    const lsn = await write();
    const expected = await counted(primary);
    for (let i = 0; i < 5; i++) {
      const database = await router.forRead(lsn);
      expect(await isStandby(database)).toBe(false);
      expect(await counted(database)).toBe(expected);
    }
    expect(await isStandby(await router.forRead(null))).toBe(true);
    await standbyAdmin.query(sql`select pg_wal_replay_resume()`);
    await vi.waitFor(async () => expect(await isStandby(await router.forRead(lsn))).toBe(true), patience);
    expect(await counted(await router.forRead(lsn))).toBe(expected);
  } finally {
    await standbyAdmin.query(sql`select pg_wal_replay_resume()`);
  }
});

test('GEN-4 a dead replica costs nothing but load, is told once, and is used again when it is back', async () => {
  const held = await router.forRead(null);
  await standbyServer.stop();
  expect(await isStandby(held)).toBe(false);
  expect(await held.transaction((tx) => tx.arrays(sql`select 1`), { readOnly: true })).toEqual([[1]]);
  expect(router.isReplicaUp).toBe(false);
  for (let i = 0; i < 20; i++) expect(await router.forRead(null)).toBe(primary);
  expect(warned.mock.calls.map(([message]) => message)).toEqual([
    expect.stringContaining('The read replica is not used'),
  ]);
  standbyServer = await startForTest(dirs.standby);
  await vi.waitFor(() => expect(router.isReplicaUp).toBe(true), patience);
  expect(await isStandby(await router.forRead(null))).toBe(true);
  expect(warned).toHaveBeenLastCalledWith('The read replica is used again.', null);
});

test('GEN-4 a replica that hangs counts as down', async () => {
  const silent = { ...replica, arrays: () => new Promise<never>(() => {}) };
  const other = createReplicaRouter({ primary, replica: silent, onWarning: warned, answerMs: 30, probeMs: 60_000 });
  await vi.waitFor(() => expect(warned).toHaveBeenCalledOnce(), patience);
  expect(await other.forRead(null)).toBe(primary);
  other.close();
});

test('GEN-4 a server that is no standby is not read from', async () => {
  const other = createReplicaRouter({ primary, replica: primary, onWarning: warned, probeMs: 60_000 });
  await vi.waitFor(() => expect(warned).toHaveBeenCalledWith(expect.stringContaining('not a standby'), null), patience);
  expect(other.isReplicaUp).toBe(false);
  other.close();
});

test('GEN-4 a position that is none leads to the primary', async () => {
  expect(await router.forRead('zz/top')).toBe(primary);
  expect(parseLsn('16/B374D848')).toBe(0x16_b374d848n);
  expect(parseLsn('0/0')).toBe(0n);
});
