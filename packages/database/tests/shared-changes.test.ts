import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type PooledDatabase, sql } from '../index.ts';
import { maxShared } from '../pool/shared-connections.ts';
import { openWire, warningFrom } from './database-wire.ts';

let fixture: TestDatabase;
let database: PooledDatabase;
const name = 'shared changes';
beforeAll(async () => {
  fixture = await createTestDatabase();
  await fixture.database.execute(sql`create table till (id int primary key, sum int not null, note text)`);
  await fixture.database.execute(
    sql`create table entry (id int primary key, till_id int references till deferrable initially deferred)`,
  );
  await fixture.database.execute(sql`insert into till select n, 0 from generate_series(1, 500) n`);
  database = createDatabase({ dsn: fixture.dsn, applicationName: name });
  for (let round = 0; round < 4; round++) await Promise.all([add(database, 1), split(2, 2), enter(-round - 1, 1)]);
  await fixture.database.execute(sql`update till set sum = 0`);
});
afterAll(async () => {
  await database?.close();
  await fixture?.drop();
});

/** The new sum, and how the server plans it. */
const add = (to: PooledDatabase, id: number) =>
  to.change(
    sql`update till set sum = sum + 1 where id = ${id}::int4 returning sum, current_setting('plan_cache_mode')`,
  );
const split = (id: number, by: number) =>
  database.change(sql`update till set sum = sum + 10 / ${by}::int4 where id = ${id}::int4 returning sum`);
const enter = (id: number, till: number) =>
  database.change(sql`insert into entry values (${id}::int4, ${till}::int4) returning id`);
const sumOf = async (id: number) =>
  (await fixture.database.arrays(sql`select sum from till where id = ${id}::int4`))[0]?.[0];
/** Callers come one after the other, as requests do. */
const arrival = () => new Promise((resolve) => setImmediate(resolve));
const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('PRF-10 short changes share connections', () => {
  it('PRF-10 each is made once, with its own answer and its own error, those at its commit too', async () => {
    let shared = 0;
    await Promise.all(
      range(400).map(async (id) => {
        await arrival();
        if (id % 7 === 0) await expect(split(id, 0)).rejects.toMatchObject({ code: '22012' });
        else if (id % 5 === 0) await expect(enter(id, 1_000 + id)).rejects.toMatchObject({ code: '23503' });
        else if (id % 3 === 0) expect(await enter(id, id)).toEqual([[id]]);
        else {
          const [answer] = await add(database, id);
          expect(answer?.[0]).toBe(1);
          if (answer?.[1] === 'force_generic_plan') shared++;
        }
      }),
    );
    const made = range(400).filter((id) => id % 7 && id % 5 && id % 3);
    expect(await fixture.database.arrays(sql`select id from till where sum <> 0 order by id`)).toEqual(
      made.map((id) => [id]),
    );
    const entered = range(400).filter((id) => id % 7 && id % 5 && !(id % 3));
    expect(await fixture.database.arrays(sql`select id from entry where id > 0 order by id`)).toEqual(
      entered.map((id) => [id]),
    );
    // Whether a statement counts as short depends on how busy the machine is: it is shared as soon as it was short once.
    while (shared === 0) {
      const answers = await Promise.all(range(9).map((n) => add(database, 400 + n)));
      shared = answers.filter(([answer]) => answer?.[1] === 'force_generic_plan').length;
    }
  });

  it('PRF-10 who waits for a row does so alone, and changes it once', async () => {
    const before = Number(await sumOf(7));
    const { held } = await fixture.database.transaction(async (tx) => {
      await tx.execute(sql`select from till where id = 7 for update`);
      const held = Promise.all(range(maxShared + 1).map(() => add(database, 7)));
      await arrival();
      const others = await Promise.all(range(60).map((at) => split(100 + at, 5)));
      expect(others).toHaveLength(60);
      return { held };
    });
    expect((await held).map(([row]) => Number(row?.[0]) - before).sort()).toEqual(range(maxShared + 1));
    expect(await sumOf(7)).toBe(before + maxShared + 1);
  });

  it('PRF-10 of those on a connection that is lost nobody is told that it was done, unless it was, and none is made twice', async () => {
    const before = Number(await sumOf(11));
    const answers = Promise.allSettled(range(200).map(() => add(database, 11)));
    await fixture.database.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name} limit 2`,
    );
    const settled = await answers;
    const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [Number(one.value[0]?.[0]) - before] : []));
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'UNAVAILABLE' });
    expect(new Set(done).size).toBe(done.length);
    const all = Number(await sumOf(11)) - before;
    expect(all).toBeGreaterThanOrEqual(done.length);
    expect(all).toBeLessThanOrEqual(200);
    expect(await add(database, 11)).toHaveLength(1);
  });

  it('PRF-10 a standby that did not confirm one change is told of that one alone', async () => {
    const wire = await openWire(fixture.dsn);
    const far = createDatabase({ connection: wire.connection });
    const rename = (id: number, note: string) =>
      far.change(sql`update till set note = ${note}::text where id = ${id}::int4 returning note`);
    for (let round = 0; round < 4; round++) await Promise.all([rename(1, 'a'), rename(2, 'b')]);
    wire.warnAfter('unsure', warningFrom('SyncRepWaitForLSN'));
    const settled = await Promise.allSettled(range(40).map((id) => rename(id, id % 4 === 0 ? 'unsure' : 'sure')));
    for (const [at, one] of settled.entries()) {
      if ((at + 1) % 4 === 0) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
      else expect(one).toMatchObject({ status: 'fulfilled', value: [['sure']] });
    }
    await far.close();
    await wire.close();
  });

  it('PRF-10 a changed table is no obstacle', async () => {
    await fixture.database.execute(sql`alter table till alter column sum type numeric`);
    const made = await Promise.all(range(100).map((at) => add(database, 400 + (at % 50))));
    expect(made.every((rows) => rows.length === 1)).toBe(true);
  });
});
