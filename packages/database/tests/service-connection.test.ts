import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createBell, createDatabase, createSessionLocks, openSession, parseDsn, type Sql, sql } from '../index.ts';

const patience = { timeout: 120_000 };
let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
  await fixture.database.execute(sql`create table shelf (id int primary key)`);
});
afterAll(() => fixture.drop());

const connectionsNamed = async (name: string) =>
  fixture.database.query<{ pid: number }>(sql`select pid from pg_stat_activity
    where application_name = ${name} and datname = current_database()`);
const lockHolders = async (key: number) =>
  fixture.database.query<{
    pid: number;
  }>(sql`select pid from pg_locks where locktype = 'advisory' and objid = ${key} and granted
    and database = (select oid from pg_database where datname = current_database())`);

/** Everything that a process does on its service connection. */
async function openAll(channel: string) {
  const config = parseDsn(fixture.dsn);
  const heard = vi.fn();
  const log = { warn: vi.fn() };
  const bell = createBell(config, channel, heard, log);
  const locks = createSessionLocks(config, 4711, log);
  const session = openSession(config, { onUp: () => {}, onDown: () => {} });
  const database = createDatabase({ connection: config, maxConnections: 1, applicationName: 'service-test' });
  onTestFinished(async () => {
    await Promise.all([bell.close(), locks.close(), session.close(), database.close()]);
    expect(await connectionsNamed('kontor service')).toEqual([]);
  });
  await Promise.all([bell.ready(), session.ready()]);
  const read = (statement: Sql) => session.query<{ id: number }>(session.life, statement);
  return { bell, locks, session, database, heard, log, read };
}

it('CST-9 notifications, session locks, events and the health check share one connection', async () => {
  const { bell, locks, database, heard, read } = await openAll('shared');
  expect(await locks.tryLock(1)).toBe(true);
  heard.mockClear();
  bell.ring();
  // Many at once: each has its turn.
  const answers = Array.from({ length: 20 }, (_, id) => read(sql`select ${id}::int4 as id`));
  await Promise.all([database.ping(), ...answers]);
  expect((await Promise.all(answers)).flat().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), patience);
  const [service, ...others] = await connectionsNamed('kontor service');
  expect([others, await lockHolders(1), await connectionsNamed('kontor pulse')]).toEqual([[], [service], []]);
});

long(
  'CST-9 a locked table ends a read of events, and costs neither locks nor notifications nor the health check',
  async () => {
    const { bell, locks, database, heard, read } = await openAll('locked');
    expect(await locks.tryLock(2)).toBe(true);
    const [before] = await connectionsNamed('kontor service');
    heard.mockClear();
    await fixture.database.transaction(async (tx) => {
      await tx.execute(sql`lock table shelf in access exclusive mode`);
      const refused = expect(read(sql`select id from shelf`)).rejects.toThrow(/lock timeout/);
      bell.ring();
      await Promise.all([database.ping(), refused]);
      await vi.waitFor(() => expect(heard).toHaveBeenCalled(), patience);
    });
    expect(await read(sql`select id from shelf`)).toEqual([]);
    expect(await lockHolders(2)).toEqual([before]);
  },
);

it('CST-9 when the connection is lost, all of its users get it back, with the locks that they held', async () => {
  const { bell, locks, session, database, heard, log, read } = await openAll('lost');
  expect(await locks.tryLock(3)).toBe(true);
  const { life } = session;
  const [before] = await connectionsNamed('kontor service');
  heard.mockClear();
  await fixture.database.execute(sql`select pg_terminate_backend(${before?.pid})`);
  await vi.waitFor(() => expect(session.life).toBe(life + 1), patience);
  expect(log.warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/bell is not connected/),
    expect.stringMatching(/connection for locks is gone/),
  ]);
  await expect(session.query(life, sql`select 1 as id`)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await read(sql`select 1 as id`)).toEqual([{ id: 1 }]);
  await bell.ready();
  expect(heard).toHaveBeenCalledWith(true, false);
  const [after] = await connectionsNamed('kontor service');
  await vi.waitFor(async () => expect(await lockHolders(3)).toEqual([after]), patience);
  await database.ping();
});
