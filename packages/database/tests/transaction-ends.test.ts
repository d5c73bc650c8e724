import { createTestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../sql/sql.ts';

type World = Awaited<ReturnType<typeof createTestDatabase>>;
let world: World;
beforeAll(async () => {
  world = await createTestDatabase({ maxConnections: 3 });
  await world.database.execute(sql`
    create table noted (id int4 generated always as identity primary key, name text,
      twin int4 references noted deferrable initially deferred)`);
});
afterAll(() => world.drop());
beforeEach(() => world.database.execute(sql`delete from noted`));

const add = (name: string) => sql`insert into noted (name) values (${name}) returning id`;
const names = async () => (await world.database.arrays(sql`select name from noted order by id`)).map(([name]) => name);

/** Often enough that the statements have names and go with BEGIN and COMMIT in one piece. */
const rounds = [1, 2, 3, 4];

test('the last statement is committed with its answer', async () => {
  for (const round of rounds) {
    const seen = await world.database.transaction(async (tx) => {
      await tx.execute(add(`first ${round}`));
      const rows = await tx.last<{ id: number }>(add(`last ${round}`));
      expect(rows).toEqual([{ id: expect.any(Number) }]);
      return names();
    });
    expect(seen).toHaveLength(round * 2);
  }
});

test('a transaction of nothing but its last statement is whole too', async () => {
  for (const round of rounds) await world.database.transaction((tx) => tx.last(add(`only ${round}`)));
  expect(await names()).toHaveLength(rounds.length);
});

test('a statement after the last is refused, and what is committed stays', async () => {
  let hasHeard = false;
  const late = world.database.transaction(async (tx) => {
    tx.afterCommit(() => {
      hasHeard = true;
    });
    await tx.last(add('kept'));
    await tx.execute(add('late'));
  });
  await expect(late).rejects.toThrow('over');
  expect(await names()).toEqual(['kept']);
  expect(hasHeard).toBe(true);
});

test('a last statement that fails takes everything back', async () => {
  for (const round of rounds) {
    const broken = world.database.transaction(async (tx) => {
      await tx.execute(add(`first ${round}`));
      await tx.last(sql`insert into noted (name) values (${'bad'}) returning 1 / ${0}::int4`);
    });
    await expect(broken).rejects.toMatchObject({ code: '22012' });
  }
  expect(await names()).toEqual([]);
});

test('what fails at the commit fails the last statement', async () => {
  for (const round of rounds) {
    const dangling = world.database.transaction(async (tx) => {
      await tx.execute(add(`first ${round}`));
      await tx.last(sql`insert into noted (name, twin) values (${'bad'}, ${-1})`);
    });
    await expect(dangling).rejects.toMatchObject({ code: '23503' });
  }
  expect(await names()).toEqual([]);
});

test('in a trial run and in a savepoint the last statement is one like any other', async () => {
  for (const round of rounds) {
    await world.database.transaction(
      async (tx) => {
        await tx.last(add(`trial ${round}`));
        await tx.execute(add(`more ${round}`));
      },
      { rollback: true },
    );
    const inner = world.database.transaction(async (tx) => {
      await tx.savepoint(() => tx.last(add(`inner ${round}`)));
      throw new Error('changed my mind');
    });
    await expect(inner).rejects.toThrow('changed my mind');
  }
  expect(await names()).toEqual([]);
});

test('GEN-8 work whose commit got lost is not repeated, as it may have arrived', async () => {
  for (const _ of rounds) {
    let runs = 0;
    const lost = world.database.transaction(async (tx) => {
      runs++;
      await tx.last(sql`select pg_terminate_backend(pg_backend_pid()), ${'last'}::text`);
    });
    await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('while saving') });
    expect(runs).toBe(1);
  }
});

test('GEN-8 a connection that dies with the first statement is replaced once', async () => {
  for (const _ of rounds) {
    let runs = 0;
    const result = await world.database.transaction(async (tx) => {
      runs++;
      const [row] = await tx.arrays(sql`
        select case when ${runs}::int4 = 1 then pg_terminate_backend(pg_backend_pid()) else false end`);
      await tx.execute(add('here'));
      return row?.[0];
    });
    expect([runs, result]).toEqual([2, false]);
  }
  expect(await names()).toHaveLength(rounds.length);
});

test('a failure of other connections inside the work is not taken for one of the database', async () => {
  let runs = 0;
  const failing = world.database.transaction(async () => {
    runs++;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });
  await expect(failing).rejects.toThrow('read ECONNRESET');
  expect(runs).toBe(1);
});

test('options of the transaction hold from its first statement on', async () => {
  const settings = sql`
    select current_setting('transaction_isolation'), current_setting('transaction_read_only'), current_setting('statement_timeout')`;
  for (const _ of rounds) {
    const plain = { isolation: 'serializable', readOnly: true } as const;
    const [row] = await world.database.transaction((tx) => tx.arrays(settings), plain);
    expect(row?.slice(0, 2)).toEqual(['serializable', 'on']);
    const [timed] = await world.database.transaction((tx) => tx.arrays(settings), { statementTimeoutMs: 1_234 });
    expect(timed).toEqual(['read committed', 'off', '1234ms']);
  }
});

test('PRF-5 one statement that changes is committed by itself, and not sent again when it fails', async () => {
  for (const round of rounds) {
    expect(await world.database.change(add(`alone ${round}`))).toEqual([[expect.any(Number)]]);
    const broken = sql`insert into noted (name) values (${'bad'}) returning 1 / ${0}::int4`;
    await expect(world.database.change(broken)).rejects.toMatchObject({ code: '22012' });
    const dangling = sql`insert into noted (name, twin) values (${'bad'}, ${-1}) returning id`;
    await expect(world.database.change(dangling)).rejects.toMatchObject({ code: '23503' });
  }
  expect(await names()).toEqual(rounds.map((round) => `alone ${round}`));
});

test('PRF-5 a connection that is lost during it leaves open whether it was committed', async () => {
  for (const round of rounds) {
    const lost = sql`with made as (insert into noted (name) values (${`lost ${round}`}) returning id)
      select pg_terminate_backend(pg_backend_pid()) from made`;
    await expect(world.database.change(lost)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('lost while saving'),
    });
  }
  expect(await names()).toEqual([]);
  expect(await world.database.change(add('again'))).toHaveLength(1);
});
