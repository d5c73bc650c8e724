import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql, syncSchema, trustedSql } from '../index.ts';
import { column, columnOf, table } from './schema-fixture.ts';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
  await world.database.transaction((tx) => syncSchema(tx, [table('t', [])]));
});
afterAll(() => world.drop());

/** Holds a row lock's table lock until `release` is called. */
async function holdTable(): Promise<{ release(): void; ended: Promise<void> }> {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const ended = world.database.transaction(async (tx) => {
    await tx.execute(trustedSql('insert into t default values'));
    begun();
    await until;
  });
  await started;
  return { release, ended };
}

it('GEN-7 waits for a busy table in short tries and tells how often', async () => {
  const holder = await holdTable();
  const wanted = [table('t', [column('a', 'text')])];
  const syncing = world.database.transaction((tx) => syncSchema(tx, wanted, { lockTimeoutMs: 30, lockTries: 100 }));
  const waiting = sql`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  for (let n = 0; n === 0; ) n = (await world.database.query<{ n: number }>(waiting))[0]?.n ?? 0;
  while ((await world.database.query<{ n: number }>(waiting))[0]?.n !== 0);
  holder.release();
  await holder.ended;
  const report = await syncing;
  expect(report.done).toEqual(['t.a: column added (text)']);
  expect(report.lockRetries).toBeGreaterThan(0);
});

it('GEN-7 gives up with UNAVAILABLE, changes nothing and names the tables', async () => {
  const holder = await holdTable();
  const wanted = [table('t', [column('a', 'text'), column('b', 'text')]), table('fresh', [])];
  const attempt = world.database.transaction((tx) => syncSchema(tx, wanted, { lockTimeoutMs: 20, lockTries: 2 }));
  await expect(attempt).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('in use: t.') });
  holder.release();
  await holder.ended;
  expect(await columnOf(world.database, 't', 'b')).toBeUndefined();
  expect(await world.database.query(sql`select to_regclass('fresh') as fresh`)).toEqual([{ fresh: null }]);
});

it('GEN-7 two processes that sync at once take turns', async () => {
  const wanted = [table('t', [column('a', 'text'), column('c', 'text')]), table('both', [column('x', 'integer')])];
  const sync = () => world.database.transaction((tx) => syncSchema(tx, wanted));
  const [one, other] = await Promise.all([sync(), sync()]);
  expect([one.done.length, other.done.length].sort()).toEqual([0, 2]);
});

it('GEN-7 gives the transaction its timeouts back', async () => {
  const settings = sql`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;
  await world.database.transaction(async (tx) => {
    const before = await tx.query(settings);
    await syncSchema(tx, [table('t', [column('d', 'text')])]);
    expect(await tx.query(settings)).toEqual(before);
  });
});
