import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDatabase, type EmbeddedServer, sql } from '../index.ts';
import {
  collectLog,
  findProcesses,
  isRunning,
  keptNotes,
  openDirectory,
  removeCompiled,
  type Spawned,
  spawnKontor,
  startForTest,
  withDatabase,
} from './embedded-fixture.ts';

let directory: ReturnType<typeof openDirectory>;
let server: EmbeddedServer | null = null;
beforeAll(() => {
  directory = openDirectory();
});
afterEach(async () => {
  await server?.stop();
  server = null;
});
afterAll(() => {
  directory.remove();
  removeCompiled();
});

const note = 'written before the kill';
/** Every run of the process writes one more. */
const notes = { written: [] as string[] };
async function startAndWrite(): Promise<Spawned & { server: number }> {
  const kontor = spawnKontor(directory.path);
  const { ready, failed } = await kontor.outcome;
  if (!ready) throw new Error(failed);
  notes.written.push(note);
  return { ...kontor, server: ready.server };
}
const patience = { timeout: 120_000, interval: 20 };

describe('GEN-9 Kontor is killed', () => {
  test('SIGTERM stops both in order', async () => {
    const kontor = await startAndWrite();
    kontor.child.kill('SIGTERM');
    expect(await kontor.ended).toBe(0);
    expect(isRunning(kontor.server)).toBe(false);
    expect(readFileSync(join(directory.path, 'postgres', 'postgres.log'), 'utf8')).toMatch(
      /database system is shut down\s*$/,
    );
  });

  test('kill -9: the server shuts itself down, the lock is taken over, data are there', async () => {
    const kontor = await startAndWrite();
    kontor.child.kill('SIGKILL');
    await kontor.ended;
    await vi.waitFor(() => expect(isRunning(kontor.server)).toBe(false), patience);
    server = await startForTest(directory.path);
    expect(await keptNotes(server)).toEqual(notes.written);
  });

  test.runIf(process.platform === 'linux')('kill -9 of its watchdog too: the next start ends the orphan', async () => {
    const kontor = await startAndWrite();
    const orphan = kontor.server;
    for (const pid of findProcesses(`kontor-watchdog ${orphan}`)) process.kill(pid, 'SIGKILL');
    kontor.child.kill('SIGKILL');
    await kontor.ended;
    expect(isRunning(orphan)).toBe(true);
    const log = collectLog();
    server = await startForTest(directory.path, log);
    expect(log.lines.join('\n')).toContain(`still running (process ${orphan}); stopping it`);
    expect(isRunning(orphan)).toBe(false);
    expect(server.pid).not.toBe(orphan);
    expect(await keptNotes(server)).toEqual(notes.written);
  });

  test('kill -9 of Kontor and of the server: data are there', async () => {
    const kontor = await startAndWrite();
    kontor.child.kill('SIGKILL');
    process.kill(kontor.server, 'SIGKILL');
    await kontor.ended;
    server = await startForTest(directory.path);
    expect(await keptNotes(server)).toEqual(notes.written);
  });
});

describe('GEN-9 the server is killed', () => {
  test('it is noticed, told and restarted; the pool connects again by itself; data are there', async () => {
    server = await startForTest(directory.path);
    const crashes: unknown[] = [];
    const restarted = vi.fn();
    server.onCrash((crash) => crashes.push(crash));
    server.onRestart(restarted);
    const database = createDatabase({ connection: server.connection, onWarning: () => {} });
    await database.execute(sql`create table crashed (note text)`);
    await database.execute(sql`insert into crashed values (${note})`);
    const before = server.pid as number;
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(restarted).toHaveBeenCalledOnce(), patience);
    expect(crashes).toEqual([{ reason: expect.stringContaining('signal SIGKILL') }]);
    expect(server.pid).not.toBe(before);
    expect(await database.arrays(sql`select note from crashed`)).toEqual([[note]]);
    await database.close();
  });

  test('while it is away callers get UNAVAILABLE, afterwards answers', async () => {
    server = await startForTest(directory.path);
    const { connection, pid } = server;
    await server.stop();
    const database = createDatabase({ connection, onWarning: () => {} });
    await expect(database.query(sql`select 1`)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: /cannot be reached/,
    });
    await expect(database.transaction(async () => {})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    server = await startForTest(directory.path);
    expect(server.pid).not.toBe(pid);
    expect(await database.arrays(sql`select 1`)).toEqual([[1]]);
    await database.close();
  });
});

describe('GEN-9 leftovers', () => {
  test('a stale pid file that names a living foreign process does not stop the start', async () => {
    const kontor = await startAndWrite();
    const pidFile = join(directory.path, 'postgres', 'cluster', 'postmaster.pid');
    const text = readFileSync(pidFile, 'utf8');
    kontor.child.kill('SIGTERM');
    await kontor.ended;
    const stranger = spawn('sleep', ['60']);
    try {
      writeFileSync(pidFile, text.replace(String(kontor.server), String(stranger.pid)));
      server = await startForTest(directory.path);
      expect(await keptNotes(server)).toEqual(notes.written);
      expect(isRunning(stranger.pid as number)).toBe(true);
    } finally {
      stranger.kill();
    }
  });

  test('a lock of a process that is gone, or of a later one with its id, is taken over', async () => {
    server = await startForTest(directory.path);
    const lock = join(server.home, 'kontor.lock');
    const held = JSON.parse(readFileSync(lock, 'utf8')) as object;
    await server.stop();
    writeFileSync(lock, JSON.stringify({ ...held, pid: process.pid, started: 'another time', token: 'x' }));
    server = await startForTest(directory.path);
    await server.stop();
    writeFileSync(lock, 'not json');
    server = await startForTest(directory.path);
    expect(await withDatabase(server, (database) => database.arrays(sql`select 1`))).toEqual([[1]]);
  });

  test('a lock of another machine holds while it is fresh', async () => {
    server = await startForTest(directory.path);
    const lock = join(server.home, 'kontor.lock');
    await server.stop();
    server = null;
    writeFileSync(lock, JSON.stringify({ pid: 7, started: '1', host: 'elsewhere', token: 'x' }));
    await expect(startForTest(directory.path)).rejects.toThrow('in use by process 7 on elsewhere');
  });
});
