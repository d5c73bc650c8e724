import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type PooledDatabase, sql, type Transaction } from '../index.ts';

let fixture: TestDatabase;
let database: PooledDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
  await fixture.database.execute(sql`create table shelf (id int primary key, note text)`);
  await fixture.database.execute(sql`insert into shelf values (1, 'contested'), (2, 'free')`);
  // Four connections: two for changes, one more for reads, one for what is urgent.
  database = createDatabase({ dsn: fixture.dsn, maxConnections: 4, watchMs: 100, applicationName: 'connection-queue' });
});
afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

const write = (tx: Transaction, id: number, note: string) =>
  tx.execute(sql`update shelf set note = ${note} where id = ${id}`);
const waiting = (by: string) =>
  fixture.database.query(sql`select 1 as found from pg_stat_activity
    where application_name = 'connection-queue' and datname = current_database() and wait_event_type = ${by} and state = 'active'`);
/** Other databases of the cluster have advisory locks of their own. */
const lockHolders = (key: number) =>
  fixture.database.query(sql`select 1 as found from pg_locks where locktype = 'advisory' and objid = ${key} and granted
    and database = (select oid from pg_database where datname = current_database())`);

/** Work that ends when it is told to. */
function holding(work: (held: Promise<void>) => Promise<unknown>): () => Promise<unknown> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const done = work(held);
  return () => {
    release();
    return done;
  };
}

describe('GEN-11 nobody starves the rest', () => {
  long(
    'GEN-11 those who wait for one row stop neither reads, nor what is urgent, nor changes of other rows',
    async () => {
      const release = holding((held) =>
        fixture.database.transaction(async (tx) => {
          await write(tx, 1, 'held');
          await held;
        }),
      );
      const contested = Array.from({ length: 6 }, (_, at) =>
        database.transaction((tx) => write(tx, 1, `late ${at}`)).catch((error: unknown) => error),
      );
      await expect.poll(() => waiting('Lock'), { timeout: 120_000 }).toHaveLength(2);
      expect(await database.arrays(sql`select note from shelf where id = 2`)).toEqual([['free']]);
      expect(await database.urgent.arrays(sql`select 1`)).toEqual([[1]]);
      // It comes after all six, and is done long before the limit on waiting for a row.
      expect(await database.transaction((tx) => write(tx, 2, 'changed'))).toBe(1);
      await release();
      for (const outcome of await Promise.all(contested)) {
        if (outcome !== 1) expect(outcome).toMatchObject({ code: 'UNAVAILABLE' });
      }
    },
  );

  it('GEN-11 slow reads leave a connection for who signs in', async () => {
    const lock = sql`select pg_advisory_xact_lock(5)`;
    const release = holding((held) =>
      fixture.database.transaction(async (tx) => {
        await tx.execute(lock);
        await held;
      }),
    );
    await expect.poll(() => lockHolders(5)).toHaveLength(1);
    const slow = Array.from({ length: 5 }, () => database.execute(lock));
    await expect.poll(() => waiting('Lock'), { timeout: 120_000 }).toHaveLength(3);
    expect(await database.urgent.transaction(async (tx) => tx.arrays(sql`select 2`))).toEqual([[2]]);
    expect(database.counts().waiting).toBe(2);
    await release();
    await Promise.all(slow);
  });
});
