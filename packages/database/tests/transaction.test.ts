import { createDatabase, type Database, sql, type Transaction } from '@kontor/database';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let fixture: TestDatabase;
let db: Database;
const onWarning = vi.fn();
beforeAll(async () => {
  fixture = await createTestDatabase();
  db = createDatabase({ dsn: fixture.dsn, maxConnections: 6, onWarning });
  await db.execute(sql`create table entry (id int primary key, value int not null default 0);
    create table parent (id int primary key);
    create table child (parent_id int references parent deferrable initially deferred)`);
});
afterAll(async () => {
  await db.close();
  await fixture.drop();
});
beforeEach(async () => {
  onWarning.mockClear();
  await db.execute(sql`truncate entry; insert into entry values (1, 0), (2, 0)`);
});

const values = async (): Promise<unknown[]> => (await db.arrays(sql`select value from entry order by id`)).flat();

/** Settles when both sides have come here. */
function meeting(): () => Promise<void> {
  let come: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    come = resolve;
  });
  let here = 0;
  return async () => {
    if (++here >= 2) come();
    await both;
  };
}

test('GEN-8 what fails leaves nothing, what succeeds stays', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.execute(sql`update entry set value = 9`);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await values()).toEqual([0, 0]);
  expect(await db.transaction((tx) => tx.execute(sql`update entry set value = 5`))).toBe(2);
  expect(await values()).toEqual([5, 5]);
});

test('GEN-8 a first statement that fails again and again fails the same way each time', async () => {
  const alone = createDatabase({ dsn: fixture.dsn, maxConnections: 1, onWarning });
  const insert = (id: number) =>
    alone.transaction((tx) => tx.execute(sql`insert into entry (id) values (${id}::int4)`));
  for (let round = 0; round < 4; round++) {
    await expect(insert(1)).rejects.toMatchObject({ code: '23505' });
    await expect(alone.transaction((tx) => tx.arrays(sql`select 1 / ${0}::int4`))).rejects.toMatchObject({
      code: '22012',
    });
  }
  expect(await insert(50)).toBe(1);
  await expect(insert(50)).rejects.toMatchObject({ code: '23505' });
  await alone.close();
});

test('GEN-8 options reach the server', async () => {
  const settings = await db.transaction(
    (tx) =>
      tx.arrays(sql`select current_setting('transaction_isolation'), current_setting('transaction_read_only'),
        current_setting('statement_timeout')`),
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 1234 },
  );
  expect(settings).toEqual([['repeatable read', 'on', '1234ms']]);
  const writing = db.transaction((tx) => tx.execute(sql`update entry set value = 1`), { readOnly: true });
  await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE', message: /read-only/ });
});

test('GEN-8 a serialization failure runs the work again from its start', async () => {
  const meet = meeting();
  let runs = 0;
  const increment = () =>
    db.transaction(
      async (tx) => {
        runs++;
        const [row] = await tx.arrays(sql`select value from entry where id = 1`);
        if (runs <= 2) await meet();
        await tx.execute(sql`update entry set value = ${(row?.[0] as number) + 1} where id = 1`);
      },
      { isolation: 'serializable' },
    );
  await Promise.all([increment(), increment()]);
  expect(await values()).toEqual([2, 0]);
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('GEN-8 a deadlock is resolved by running one side again', async () => {
  const meet = meeting();
  let runs = 0;
  const both = (first: number, second: number, other: () => Promise<void>): Promise<void> =>
    db.transaction(async (tx) => {
      const isFirstRun = ++runs <= 2;
      // The server frees the row of the side that it ended before the other side notices: taken at once, they would meet again.
      if (!isFirstRun) await other();
      await tx.execute(sql`update entry set value = value + 1 where id = ${first}`);
      if (isFirstRun) await meet();
      await tx.execute(sql`update entry set value = value + 1 where id = ${second}`);
    });
  const one: Promise<void> = both(1, 2, () => two);
  const two: Promise<void> = both(2, 1, () => one);
  await Promise.all([one, two]);
  expect(await values()).toEqual([2, 2]);
  expect(runs).toBe(3);
});

test('GEN-8 retries end', async () => {
  let runs = 0;
  const failing = db.transaction(
    async (tx) => {
      runs++;
      await tx.execute(sql`do $$ begin raise exception 'no' using errcode = '40001'; end $$`);
    },
    { retries: 2 },
  );
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect(runs).toBe(3);
});

test('GEN-8 an error that was swallowed is not a commit', async () => {
  const work = vi.fn();
  const swallowing = db.transaction(async (tx) => {
    tx.afterCommit(work);
    await tx.execute(sql`update entry set value = 7`);
    await tx.execute(sql`insert into entry values (1)`).catch(() => {});
  });
  await expect(swallowing).rejects.toMatchObject({ code: '23505' });
  expect(await values()).toEqual([0, 0]);
  expect(work).not.toHaveBeenCalled();
});

test('GEN-8 a deadlock that the work caught in a savepoint still runs the work again', async () => {
  let runs = 0;
  const rejected: unknown[] = [];
  const answer = await db.transaction(async (tx) => {
    const isFirstRun = ++runs === 1;
    for (const id of [1, 2]) {
      await tx
        .savepoint(async () => {
          if (isFirstRun && id === 1) {
            await tx.execute(sql`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`);
          }
          await tx.execute(sql`update entry set value = 1 where id = ${id}`);
        })
        .catch((error) => rejected.push(error));
    }
    return runs;
  });
  expect(answer).toBe(2);
  expect(rejected).toHaveLength(2);
  expect(await values()).toEqual([1, 1]);
});

test('GEN-8 a savepoint takes back its part only, and what was to follow it', async () => {
  const done: string[] = [];
  await db.transaction(async (tx) => {
    tx.afterCommit(() => void done.push('outer'));
    await tx.execute(sql`update entry set value = 1 where id = 1`);
    await tx
      .savepoint(async () => {
        tx.afterCommit(() => void done.push('inner'));
        await tx.execute(sql`update entry set value = 1 where id = 2`);
        await tx.savepoint(() => tx.execute(sql`update entry set value = 3 where id = 2`));
        await tx.execute(sql`insert into entry values (1)`);
      })
      .catch((error) => expect(error).toMatchObject({ code: '23505' }));
    await tx.savepoint(() => tx.execute(sql`insert into entry values (3, 4)`));
  });
  expect(await values()).toEqual([1, 0, 4]);
  expect(done).toEqual(['outer']);
});

test('GEN-8 work after the commit sees it, runs in order, and its failure is told but not thrown', async () => {
  const seen: unknown[] = [];
  await db.transaction(async (tx) => {
    tx.afterCommit(async () => void seen.push(...(await values())));
    tx.afterCommit(() => {
      throw new Error('later trouble');
    });
    tx.afterCommit(() => void seen.push('last'));
    await tx.execute(sql`update entry set value = 8`);
  });
  expect(seen).toEqual([8, 8, 'last']);
  expect(onWarning).toHaveBeenCalledWith(
    'Work after a commit failed.',
    expect.objectContaining({ message: 'later trouble' }),
  );
});

test('GEN-8 a retried run forgets what the first run wanted after the commit', async () => {
  const done: number[] = [];
  let runs = 0;
  await db.transaction(async (tx) => {
    const run = ++runs;
    tx.afterCommit(() => void done.push(run));
    if (run === 1) await tx.execute(sql`do $$ begin raise exception 'no' using errcode = '40P01'; end $$`);
  });
  expect(done).toEqual([2]);
});

test('GEN-8 a trial run gives its result, leaves nothing, and fails where the commit would', async () => {
  const work = vi.fn();
  const touched = await db.transaction(
    async (tx) => {
      tx.afterCommit(work);
      return tx.execute(sql`update entry set value = 6`);
    },
    { rollback: true },
  );
  expect(touched).toBe(2);
  expect(await values()).toEqual([0, 0]);
  expect(work).not.toHaveBeenCalled();
  const dangling = db.transaction((tx) => tx.execute(sql`insert into child values (77)`), { rollback: true });
  await expect(dangling).rejects.toMatchObject({ code: '23503' });
});

test('GEN-8 statements asked for at once run in turn, and none after the end', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const answers = await db.transaction(async (tx) => {
    late = () => tx.query(sql`select 1`);
    return Promise.all([1, 2, 3].map((n) => tx.arrays(sql`select ${n}::int4`)));
  });
  expect(answers).toEqual([[[1]], [[2]], [[3]]]);
  await expect(late?.()).rejects.toThrow('The transaction is over');
});

test('GEN-8 a connection that dies in a transaction is UNAVAILABLE, and the pool goes on', async () => {
  const dying = db.transaction(async (tx) => {
    const [row] = await tx.arrays(sql`select pg_backend_pid()`);
    await db.execute(sql`select pg_terminate_backend(${row?.[0]}::int4)`);
    await tx.execute(sql`update entry set value = 1`);
  });
  await expect(dying).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await values()).toEqual([0, 0]);
});

/** Opens so many connections: none of the transactions ends before all have begun. */
async function fillPool(database: Database, count: number): Promise<void> {
  let begun = 0;
  let allBegun = (): void => {};
  const together = new Promise<void>((resolve) => {
    allBegun = resolve;
  });
  const take = async (tx: Transaction): Promise<void> => {
    await tx.execute(sql`select 1`);
    if (++begun === count) allBegun();
    await together;
  };
  await Promise.all(Array.from({ length: count }, () => database.transaction(take)));
}

test('GEN-8 idle connections that were cut do not reach callers', async () => {
  const other = createDatabase({ dsn: fixture.dsn, maxConnections: 3, onWarning: () => {} });
  await fillPool(other, 3);
  await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  expect(await Promise.all([1, 2, 3].map(() => other.arrays(sql`select 1`)))).toEqual([[[1]], [[1]], [[1]]]);
  expect(await other.transaction((tx) => tx.arrays(sql`select 2`))).toEqual([[2]]);
  await other.close();
});

test('IMP-25 a statement that is larger than a socket takes at once is sent before the work goes on, and comes whole', async () => {
  const large = 'äb'.repeat(1_000_000);
  await db.transaction(async (tx) => {
    await tx.execute(sql`update entry set value = 1`);
    const asked = tx.arrays(sql`select length(${large}::text), md5(${large}::text) = md5(repeat('äb', 1000000)), 7`);
    await tx.sent();
    expect(await asked).toEqual([[2_000_000, true, 7]]);
    // Nothing is on its way.
    await tx.sent();
  });
});

test('IMP-25 nobody waits for a statement to be sent on a connection that is gone', async () => {
  await db.transaction(async (holder) => {
    await holder.execute(sql`select pg_advisory_xact_lock(25)`);
    const broken = db.transaction(async (tx) => {
      const [[pid]] = (await tx.arrays(sql`select pg_backend_pid()`)) as [[number]];
      const asked = tx.execute(sql`select length(${'a'.repeat(4_000_000)}::text), pg_advisory_xact_lock(25)`);
      const [failed] = await Promise.allSettled([
        asked,
        tx.sent(),
        db.execute(sql`select pg_terminate_backend(${pid}::int4)`),
      ]);
      await tx.sent();
      expect(failed.status).toBe('rejected');
      await asked;
    });
    await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
