import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Bell, createBell, parseDsn, sql } from '../index.ts';

/** A machine that is busy with other tests gets what it needs. */
const patience = { timeout: 120_000 };

let fixture: TestDatabase;
const bells: Bell[] = [];
beforeAll(async () => {
  fixture = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(bells.splice(0).map((bell) => bell.close()));
});
afterAll(() => fixture.drop());

const log = { warn: vi.fn() };

function hang(channel: string): {
  bell: Bell;
  heard: ReturnType<typeof vi.fn<(isNew: boolean, isOwn: boolean) => void>>;
} {
  const heard = vi.fn<(isNew: boolean, isOwn: boolean) => void>();
  const bell = createBell(parseDsn(fixture.dsn), channel, heard, log);
  bells.push(bell);
  return { bell, heard };
}

const bellConnections = (): Promise<object[]> =>
  fixture.database.query(sql`select pid from pg_stat_activity
    where application_name = 'kontor service' and datname = current_database()`);

test('GEN-1 a ring is heard by every process on the channel, and by no other channel', async () => {
  const [here, there, elsewhere] = [hang('events'), hang('events'), hang('Other "channel"')];
  await Promise.all(bells.map((bell) => bell.ready()));
  for (const { heard } of [here, there, elsewhere]) expect(heard).toHaveBeenCalledTimes(1);
  here.bell.ring();
  await vi.waitFor(() => expect(there.heard).toHaveBeenCalledTimes(2), patience);
  await vi.waitFor(() => expect(here.heard).toHaveBeenCalledTimes(2), patience);
  expect(elsewhere.heard).toHaveBeenCalledTimes(1);
  // Who rang knows its own ring, and heard of it before it went out.
  expect(here.heard).toHaveBeenLastCalledWith(false, true);
  expect(there.heard).toHaveBeenLastCalledWith(false, false);
  const atOnce = vi.fn();
  const early = createBell(parseDsn(fixture.dsn), 'events', () => {}, log, atOnce);
  bells.push(early);
  await early.ready();
  early.ring();
  expect(atOnce).toHaveBeenCalledTimes(1);
});

test('GEN-1 a burst is one in flight and one more', async () => {
  const { bell, heard } = hang('burst');
  await bell.ready();
  for (let i = 0; i < 1_000; i++) bell.ring();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3), patience);
  await bellConnections();
  expect(heard).toHaveBeenCalledTimes(3);
});

test('GEN-1 a lost connection comes back, rings once for what may have been missed, and sends what waited', async () => {
  const { bell, heard } = hang('events');
  const other = hang('events');
  await Promise.all([bell.ready(), other.bell.ready()]);
  heard.mockClear();
  other.heard.mockClear();
  log.warn.mockClear();
  await fixture.database.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'kontor service' and datname = current_database()`);
  await vi.waitFor(() => expect(bell.isListening).toBe(false), patience);
  bell.ring();
  await bell.ready();
  await other.bell.ready();
  expect(heard.mock.calls.length).toBeGreaterThanOrEqual(1);
  await vi.waitFor(() => expect(heard.mock.calls.length).toBeGreaterThanOrEqual(2), patience);
  expect(log.warn).toHaveBeenCalledWith(expect.stringMatching(/bell is not connected .*trying again/));
  expect(await bellConnections()).toHaveLength(2);
});

test('GEN-1 a bell on a database that is away keeps trying and closes at once', async () => {
  const heard = vi.fn();
  const bell = createBell({ host: '/nonexistent', user: 'kim', database: 'shop' }, 'events', heard, log);
  bell.ring();
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledWith(expect.stringContaining('ENOENT')), patience);
  expect(bell.isListening).toBe(false);
  await bell.close();
  expect(heard).not.toHaveBeenCalled();
});

test('GEN-1 a listener that throws does not silence the bell', async () => {
  const heard = vi.fn(() => {
    throw new Error('listener trouble');
  });
  const bell = createBell(parseDsn(fixture.dsn), 'events', heard, log);
  bells.push(bell);
  await bell.ready();
  bell.ring();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), patience);
  expect(log.warn).toHaveBeenCalledWith(expect.stringContaining('listener trouble'));
});
