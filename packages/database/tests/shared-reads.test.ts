import { Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type PooledDatabase, sql } from '../index.ts';
import { createTimes, maxShared } from '../pool/shared-connections.ts';
import { openWire } from './database-wire.ts';

let fixture: TestDatabase;
let database: PooledDatabase;
const name = 'shared reads';
beforeAll(async () => {
  fixture = await createTestDatabase();
  await fixture.database.execute(sql`create table page (id int primary key, body text)`);
  await fixture.database.execute(
    sql`insert into page select n, repeat(n::text, n % 3000) from generate_series(1, 500) n`,
  );
  database = createDatabase({ dsn: fixture.dsn, applicationName: name });
  for (let round = 0; round < 4; round++) await Promise.all([body(1), isOdd(2), inverse(4)]);
});
afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

const bodies = async (from: PooledDatabase, id: number) =>
  (await from.arrays(sql`select body from page where id = ${id}::int4`))[0]?.[0];
const body = (id: number) => bodies(database, id);
const isOdd = (id: number) => database.query(sql`select id, id % 2 = 1 as odd from page where id = ${id}::int4`);
const inverse = (n: number) => database.arrays(sql`select 100 / ${n}::int4 as inverse`);
/** Callers come one after the other, as requests do. */
const arrival = () => new Promise((resolve) => setImmediate(resolve));
const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('PRF-9 short reads share connections', () => {
  it('PRF-9 each gets its own rows and its own error, however many are under way', async () => {
    await Promise.all(
      range(500).map(async (id) => {
        await arrival();
        if (id % 7 === 0) await expect(inverse(0)).rejects.toMatchObject({ code: '22012' });
        else if (id % 3 === 0) expect(await isOdd(id)).toEqual([{ id, odd: id % 2 === 1 }]);
        else expect(await body(id)).toBe(String(id).repeat(id % 3000));
      }),
    );
  });

  it('PRF-9 the rows behind an error are there, wherever the network cuts the answers', async () => {
    const wire = await openWire(fixture.dsn);
    const cut = createDatabase({ connection: wire.connection });
    const half = (n: number) => cut.arrays(sql`select current_setting('plan_cache_mode'), 50 / ${n}::int4 as half`);
    const ids = async (id: number) =>
      (await cut.arrays(sql`select current_setting('plan_cache_mode'), id from page where id = ${id}::int4`))[0];
    // They are shared as soon as they were short once, which a busy machine may delay.
    while ((await half(1))[0]?.[0] !== 'force_generic_plan');
    while ((await ids(1))?.[0] !== 'force_generic_plan');
    wire.holdAfterErrors();
    const errors = range(maxShared).map(() => expect(half(0)).rejects.toMatchObject({ code: '22012' }));
    await arrival();
    const rows = Promise.all(range(6).map(ids));
    await Promise.all(errors);
    await wire.goOn(maxShared + 6);
    expect((await rows).map((row) => row?.[1])).toEqual(range(6));
    wire.cutAnywhere();
    await Promise.all(
      range(400).map(async (id) => {
        await arrival();
        if (id % 5 === 0) await expect(half(0)).rejects.toMatchObject({ code: '22012' });
        else if (id % 7 === 0) expect(await bodies(cut, id)).toBe(String(id).repeat(id % 3000));
        else expect((await ids(id))?.[1]).toBe(id);
      }),
    );
    await cut.close();
    await wire.close();
  });

  it('PRF-9 those that come in one turn of the event loop go out in one piece for each connection', async () => {
    for (let round = 0; round < 10; round++) await Promise.all(range(maxShared).map(isOdd));
    const first = range(maxShared).map(isOdd);
    await arrival();
    const writes = (['_write', '_writev'] as const).map((each) => vi.spyOn(Socket.prototype, each));
    const behind = await Promise.all(range(maxShared * 4).map(isOdd));
    const pieces = writes.flatMap(({ mock }) => mock.calls).length;
    for (const each of writes) each.mockRestore();
    expect(behind).toEqual(range(maxShared * 4).map((id) => [{ id, odd: id % 2 === 1 }]));
    expect(pieces).toBeLessThanOrEqual(maxShared);
    await Promise.all(first);
  });

  it('PRF-9 those on a connection that is lost are asked again elsewhere', async () => {
    const answers = Promise.all(range(300).map(body));
    await fixture.database.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name} limit 2`,
    );
    expect(await answers).toEqual(range(300).map((id) => String(id).repeat(id % 3000)));
  });

  it('PRF-9 a statement that may wait for others has a connection to itself, and so have transactions', async () => {
    const slow = () => database.arrays(sql`select pg_advisory_xact_lock_shared(7)::text`);
    for (let round = 0; round < 3; round++) await slow();
    const waiting = await fixture.database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(7)::text`);
      const held = Promise.all(range(4).map(slow));
      for (const id of range(100)) expect(await body(id)).toBe(String(id).repeat(id % 3000));
      expect(await Promise.all(range(100).map(isOdd))).toHaveLength(100);
      await database.transaction((change) => change.execute(sql`update page set body = '' where id = 500`));
      return { held };
    });
    expect(await waiting.held).toHaveLength(4);
  });

  it('PRF-9 the server plans it once for all values, and ends what is not short for some of them: it is asked again by itself', async () => {
    const count = async (to: number) =>
      (
        await database.arrays(
          sql`select count(*)::int4, current_setting('plan_cache_mode') from generate_series(1, ${to}::int4)`,
        )
      )[0];
    // It is shared as soon as it was short once, which a busy machine may delay.
    while ((await count(2))?.[1] !== 'force_generic_plan');
    const answers = Promise.all([count(3_000_000), ...range(50).map(body)]);
    expect(await answers).toEqual([[3_000_000, 'auto'], ...range(50).map((id) => String(id).repeat(id % 3000))]);
    expect(await count(2)).toEqual([2, 'auto']);
  });

  it('PRF-9 none are set apart of very few connections, nor where statements are not kept', async () => {
    for (const options of [{ maxConnections: 4 }, { maxStatements: 0 }]) {
      const small = createDatabase({ dsn: fixture.dsn, ...options });
      for (let round = 0; round < 4; round++) {
        expect(await small.arrays(sql`select current_setting('plan_cache_mode') from page where id = 1`)).toEqual([
          ['auto'],
        ]);
      }
      await small.close();
    }
  });

  it('PRF-9 what counts as short is what a statement takes when nothing keeps it waiting', () => {
    const times = createTimes();
    expect(times.expectedMs('select 1', 'read')).toBeNull();
    times.note('select 1', 30, 'read');
    expect(times.expectedMs('select 1', 'read')).toBeNull();
    times.note('select 1', 1, 'read');
    times.note('select 1', 51, 'read');
    expect(times.expectedMs('select 1', 'read')).toBeCloseTo(2);
    for (let round = 0; round < 50; round++) times.note('select 1', 25, 'read');
    expect(times.expectedMs('select 1', 'read')).toBeNull();
    const runs = (count: number) => {
      for (let round = 0; round < count; round++) times.note('select 2', 1, 'read');
    };
    runs(1);
    for (const rests of [50, 200, 800]) {
      times.refuse('select 2');
      runs(rests - 1);
      expect(times.expectedMs('select 2', 'read')).toBeNull();
      runs(1);
      expect(times.expectedMs('select 2', 'read')).toBe(1);
    }
    for (const text of [
      'update page set body = $1',
      'with old as (delete from page) select 1',
      'select id from page for no key update',
      'select pg_advisory_lock(1)',
    ]) {
      for (let round = 0; round < 3; round++) times.note(text, 1, 'read');
      expect(times.expectedMs(text, 'read'), text).toBeNull();
    }
  });

  it('PRF-9 a changed table is no obstacle', async () => {
    await fixture.database.execute(sql`alter table page alter column body type varchar`);
    const read = await Promise.all(range(100).map(body));
    expect(read).toEqual(range(100).map((id) => String(id).repeat(id % 3000)));
  });
});
