import { createDatabase, type PooledDatabase, sql, trustedSql } from '@kontor/database';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: TestDatabase;
let one: PooledDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
  one = createDatabase({ dsn: fixture.dsn, maxConnections: 1, maxStatements: 3 });
});
afterAll(async () => {
  await one.close();
  await fixture.drop();
});

const prepared = async (): Promise<unknown[]> =>
  (await one.arrays(sql`select statement from pg_prepared_statements order by prepare_time`)).flat();

describe('cells', () => {
  test('GEN-8 values and exact text come back as Cell says', async () => {
    const [row] =
      await one.query(sql`select 1::int2 as int2, 2 as int4, 9007199254740991::int8 as int8, 0.1::float8 as float8,
      true as yes, false as no, null as nothing, '{1,NULL,-3}'::int4[] as list, '{}'::int8[] as none, '[5:6]={7,8}'::int4[] as bounds,
      '\\x00ff'::bytea as bytes, 12345678901234567890.10::numeric as exact, '2026-11-14'::date as day,
      '2026-11-14 09:00:00+02'::timestamptz as instant, '{"a": 1}'::jsonb as json, 'é'::text as text`);
    expect(row).toEqual({
      int2: 1,
      int4: 2,
      int8: 9007199254740991,
      float8: 0.1,
      yes: true,
      no: false,
      nothing: null,
      list: [1, null, -3],
      none: [],
      bounds: [7, 8],
      bytes: Buffer.from([0, 255]),
      exact: '12345678901234567890.10',
      day: '2026-11-14',
      instant: '2026-11-14 07:00:00+00',
      json: '{"a": 1}',
      text: 'é',
    });
  });

  test('GEN-8 parameters keep their meaning', async () => {
    const instant = new Date('2026-01-02T03:04:05.678Z');
    const [row] =
      await one.arrays(sql`select ${[1, null, 3]}::int4[], ${['a"b', '{}', null]}::text[], ${Buffer.from('x\0y')}::bytea,
      ${instant}::timestamptz::text, ${instant}::timestamp::text, ${[instant]}::timestamptz[]::text, ${12n}::int8,
      ${new Uint8Array([1, 2])}::bytea, ${null}::text, ${[]}::int4[]`);
    expect(row).toEqual([
      [1, null, 3],
      '{"a\\"b","{}",NULL}',
      Buffer.from('x\0y'),
      '2026-01-02 03:04:05.678+00',
      '2026-01-02 03:04:05.678',
      '{"2026-01-02 03:04:05.678+00"}',
      12,
      Buffer.from([1, 2]),
      null,
      [],
    ]);
  });

  test('GEN-8 what has no plain form is refused by position, before anything is sent', async () => {
    const before = one.statements;
    await expect(one.query(sql`select ${1}, ${{ a: 1 }}`)).rejects.toThrow('Parameter $2 is an object (Object)');
    await expect(one.query(sql`select ${undefined}`)).rejects.toThrow('Parameter $1 is undefined');
    await expect(one.query(sql`select ${[{}]}`)).rejects.toThrow('Parameter $1 is an object');
    await expect(one.query(sql`select ${new Date('no')}`)).rejects.toThrow('Parameter $1 is an invalid date');
    expect(one.statements).toBe(before);
  });

  test('GEN-8 execute tells how many rows were touched; several statements give the last result', async () => {
    expect(await one.execute(sql`create table touched (a int); insert into touched select generate_series(1, 4)`)).toBe(
      4,
    );
    expect(await one.execute(sql`update touched set a = a + 1 where a > ${2}`)).toBe(2);
  });
});

test('GEN-8 a session is set up before its first statement', async () => {
  const names = ['TimeZone', 'DateStyle', 'statement_timeout', 'lock_timeout', 'application_name'];
  const rows = await one.arrays(sql`select current_setting(name) from unnest(${names}::text[]) as name`);
  expect(rows.flat()).toEqual(['UTC', 'ISO, YMD', '30s', '10s', 'kontor']);
});

test('GEN-8 a statement that takes too long is UNAVAILABLE, and the connection goes on', async () => {
  const hasty = createDatabase({ dsn: fixture.dsn, maxConnections: 1, statementTimeoutMs: 50 });
  await expect(hasty.query(sql`select count(*) from generate_series(1, 1000000000000)`)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: /too long/,
  });
  expect(await hasty.arrays(sql`select 1`)).toEqual([[1]]);
  expect(hasty.counts().total).toBe(1);
  await hasty.close();
});

test('GEN-8 a pool without a free connection is UNAVAILABLE in time', async () => {
  const small = createDatabase({ dsn: fixture.dsn, maxConnections: 1, connectTimeoutMs: 100 });
  await small.transaction(async () => {
    await expect(small.query(sql`select 1`)).rejects.toMatchObject({ code: 'UNAVAILABLE', message: /busy/ });
  });
  await small.close();
});

describe('named statements', () => {
  test('GEN-8 a text that comes again is prepared; the least recently used is given up', async () => {
    const texts = ['select 1 as a', 'select 2 as a', 'select 3 as a', 'select 4 as a'];
    for (const text of texts) for (let i = 0; i < 2; i++) await one.query(trustedSql(text));
    const kept = await prepared();
    expect(kept).toContain('select 4 as a');
    expect(kept).not.toContain('select 1 as a');
    expect(await one.arrays(trustedSql('select 1 as a'))).toEqual([[1]]);
    expect((await prepared()).length).toBeLessThanOrEqual(4);
  });

  test('GEN-8 DDL and several statements are never prepared', async () => {
    for (let i = 0; i < 3; i++) {
      await one.execute(sql`create table if not exists plain (a int)`);
      await one.execute(sql`select 1; select 2`);
    }
    expect((await prepared()).filter((text) => /create|;/.test(String(text)))).toEqual([]);
  });

  test('GEN-8 a schema change under a prepared statement is not noticed outside a transaction', async () => {
    await one.execute(sql`create table wide (a int); insert into wide values (1)`);
    const read = sql`select * from wide`;
    for (let i = 0; i < 3; i++) expect(await one.query(read)).toEqual([{ a: 1 }]);
    await fixture.database.execute(sql`alter table wide add column b text default 'x'`);
    expect(await one.query(read)).toEqual([{ a: 1, b: 'x' }]);
  });

  test('GEN-8 inside a transaction the whole work runs again', async () => {
    await one.execute(sql`create table outgrown (a int); create table outgrown2 (a int)`);
    const reads = [sql`select * from outgrown`, sql`select * from outgrown2`];
    for (const read of reads) for (let i = 0; i < 3; i++) await one.query(read);
    await fixture.database.execute(sql`alter table outgrown add column b text`);
    await fixture.database.execute(sql`alter table outgrown2 add column b text`);
    let runs = 0;
    const work = async (tx: { query(statement: typeof read1): Promise<object[]> }) => {
      runs++;
      for (const read of reads) await tx.query(read);
    };
    const read1 = reads[0] as (typeof reads)[number];
    await one.transaction(work, { retries: 0 });
    expect(runs).toBe(2);
  });

  test('GEN-8 a statement that the server no longer has is sent again', async () => {
    const read = sql`select 'kept' as a`;
    for (let i = 0; i < 3; i++) await one.query(read);
    await one.execute(sql`deallocate all`);
    expect(await one.query(read)).toEqual([{ a: 'kept' }]);
  });
});

test('GEN-8 the counter counts what callers send, in transactions too, and no BEGIN or COMMIT', async () => {
  const before = one.statements;
  await one.query(sql`select 1`);
  await one.transaction(async (tx) => {
    await tx.query(sql`select 1`);
    await tx.savepoint(() => tx.query(sql`select 1`));
    expect(tx.statements).toBe(2);
  });
  expect(one.statements - before).toBe(3);
});

describe('what a connection costs', () => {
  const pid = async () => (await one.arrays(sql`select pg_backend_pid()`))[0]?.[0];

  test('CST-5 one that planned something large is replaced, in a transaction too', async () => {
    const first = await pid();
    await one.arrays(sql`select 1`);
    expect(await pid()).toBe(first);
    const long = trustedSql(`select cardinality(array[${Array.from({ length: 8_000 }, (_, n) => n)}])`);
    expect(await one.arrays(long)).toEqual([[8_000]]);
    const second = await pid();
    expect(second).not.toBe(first);
    await one.transaction(async (tx) => {
      await tx.arrays(long);
      expect((await tx.arrays(sql`select pg_backend_pid()`))[0]?.[0]).toBe(second);
    });
    expect(await pid()).not.toBe(second);
  });

  test('CST-4 an answer past its bounds is not kept, and the connection stays', async () => {
    const bounds = { maxBytes: 10_000, tooLarge: () => new Error('too large') };
    const rows = sql`select repeat('x', 100) from generate_series(1, 1000)`;
    const before = await pid();
    await expect(one.arrays(rows, bounds)).rejects.toThrow('too large');
    await expect(one.transaction((tx) => tx.arrays(rows, bounds))).rejects.toThrow('too large');
    expect(await one.arrays(rows)).toHaveLength(1_000);
    expect(await one.arrays(sql`select 1`, bounds)).toEqual([[1]]);
    expect(await pid()).toBe(before);
  });
});
