import { type Sql, sql } from '@kontor/database';
import { createTestKernel, type TestKernel, testSeed } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCursor, writeCursor } from '../change-log/cursor.ts';
import { beginning, nextPlace, type Place, type Position, reached, rowsSince } from '../change-log/read-since.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
  await world.kernel.database.execute(sql`
    create table kept_note (id serial primary key, xact numeric(20, 0), record int4, n int4)`);
  await world.kernel.database.execute(sql`create index kept_note_xact on kept_note (xact, id)`);
  await world.kernel.database.execute(sql`create table counted (id int4 primary key, n int4)`);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.kernel.database.execute(sql`truncate kept_note`);
  await world.kernel.database.execute(sql`truncate counted`);
  await world.kernel.database.execute(sql`insert into counted select n, 0 from generate_series(1, 8) n`);
});

const table = sql`kept_note`;
interface Note {
  readonly id: number;
  readonly record: number;
  readonly n: number;
}

function follow(size: number) {
  let place: Place = { since: beginning, until: null, after: 0 };
  const seen: Note[] = [];
  return {
    seen,
    /** One page; whether it was the last of its read. */
    async page(): Promise<boolean> {
      const rows = await world.kernel.database.query<Partial<Note> & Position>(sql`
        select ${reached(table)}, o.* from (select) as always
          left join (${rowsSince(table, sql`id, record, n`, place, size)}) o on true order by o.id`);
      const { snapshot, last } = rows[0] as Position;
      const found = rows.filter((row): row is Note & Position => row.id !== null);
      seen.push(...found);
      const next = nextPlace(
        place,
        place.until ?? { snapshot, last },
        { count: found.length, last: found.at(-1)?.id ?? 0 },
        size,
      );
      // As a reader that keeps its place as text between two pages.
      const kept = writeCursor({ history: 'a'.repeat(12), time: 1, place: next });
      place = parseCursor(kept)?.place as Place;
      return place.until === null;
    },
    async toTheEnd(): Promise<void> {
      while (!(await this.page()));
    },
  };
}

/** Counts records up in one transaction, in the order of their ids, and notes each. */
async function countUp(records: readonly number[], during: () => Promise<void> = async () => {}): Promise<void> {
  await world.kernel.database.transaction(async (tx) => {
    for (const id of records) {
      await tx.execute(sql`
        with counted as (update counted set n = n + 1 where id = ${id}::int4 returning id, n)
        insert into kept_note (xact, record, n)
        select pg_current_xact_id()::text::numeric, id, n from counted`);
      await during();
    }
  });
}

describe('FED-2 what committed since', () => {
  it.each([3, 2_000])(
    'nothing is missed, doubled or out of order beside several writers and a long one, by pages of %i',
    async (size) => {
      let state = testSeed;
      const pick = (most: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return Math.floor((state / 2_147_483_647) * most);
      };
      const reader = follow(size);
      let isOver = false;
      let finish = () => {};
      const mayFinish = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let begun = () => {};
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const long = countUp([8, 8], async () => {
        begun();
        await mayFinish;
      });
      await hasBegun;
      const writing = Array.from({ length: 4 }, async () => {
        for (let at = 0; at < 40; at++) {
          const records = [...new Set(Array.from({ length: 1 + pick(3) }, () => 1 + pick(7)))].sort();
          const isKept = pick(5) > 0;
          await countUp(records, async () => {
            if (!isKept) throw new Error('taken back');
          }).catch((error: Error) => expect(error.message).toBe('taken back'));
        }
      });
      const all = Promise.all(writing).then(() => {
        isOver = true;
      });
      while (!isOver) await reader.page();
      await all;
      await reader.toTheEnd();
      await reader.toTheEnd();
      const others = await world.kernel.database.query<Note>(sql`select id, record, n from kept_note order by id`);
      // Everything but the long transaction was told while it was open.
      expect(reader.seen.map(({ id }) => id).sort((a, b) => a - b)).toEqual(others.map(({ id }) => id));
      expect(others.some(({ record }) => record === 8)).toBe(false);
      finish();
      await long;
      await reader.toTheEnd();
      await reader.toTheEnd();
      expect(reader.seen.slice(-2)).toMatchObject([
        { record: 8, n: 1 },
        { record: 8, n: 2 },
      ]);
      for (let record = 1; record <= 8; record++) {
        const counts = reader.seen.filter((note) => note.record === record).map(({ n }) => n);
        expect(counts).toEqual(counts.map((_, at) => at + 1));
      }
    },
  );

  it('a reader that writes in the same transaction meets each row once', async () => {
    const read = async (db: Pick<typeof world.kernel.database, 'query'>, place: Place) => {
      const rows = await db.query<Partial<Note> & Position>(sql`
        select ${reached(table)}, o.* from (select) as always
          left join (${rowsSince(table, sql`id, record, n`, place, 100)}) o on true order by o.id`);
      const { snapshot, last } = rows[0] as Position;
      return { place: { since: { snapshot, last }, until: null, after: 0 }, ids: rows.flatMap(({ id }) => id ?? []) };
    };
    const seen: number[] = [];
    let place: Place = { since: beginning, until: null, after: 0 };
    await world.kernel.database.transaction(async (tx) => {
      for (let at = 0; at < 3; at++) {
        await tx.execute(sql`
          insert into kept_note (xact, record, n) values (pg_current_xact_id()::text::numeric, 1, ${at}::int4)`);
        await countUp([2]);
        const found = await read(tx, place);
        seen.push(...found.ids);
        place = found.place;
      }
    });
    seen.push(...(await read(world.kernel.database, place)).ids);
    const all = await world.kernel.database.query<Note>(sql`select id from kept_note order by id`);
    expect(seen.sort((a, b) => a - b)).toEqual(all.map(({ id }) => id));
  });

  it('FED-6 however long the log is, only new rows are looked at', async () => {
    await world.kernel.database.execute(sql`
      insert into kept_note (xact, record, n) select -n, 1, n from generate_series(1, 20000) n`);
    await world.kernel.database.execute(sql`analyze kept_note`);
    const [now] = await world.kernel.database.query<Position>(sql`select ${reached(table)}`);
    const { snapshot, last } = now as Position;
    const [xmin, xmax] = snapshot.split(':');
    const plan = async (place: Place) => {
      const rows = rowsSince(table, sql`id, record, n`, place, 2_000);
      const lines = await world.kernel.database.query<Record<string, string>>(sql`explain ${rows as Sql}`);
      return lines.flatMap((line) => Object.values(line)).join('\n');
    };
    const since = { snapshot: `${xmin}:${xmax}:${BigInt(xmin as string) + 0n}`, last };
    expect(await plan({ since, until: null, after: 0 })).not.toContain('Seq Scan');
    expect(await plan({ since, until: null, after: last })).not.toContain('Seq Scan');
  });
});

describe('FED-4 cursors', () => {
  const history = '0123456789ab';
  const position = { snapshot: '740:800:741,790', last: 12 };
  it('are read as they were written', () => {
    for (const place of [
      { since: position, until: null, after: 0 },
      { since: { xact: '77', id: 5 }, until: { snapshot: '900:900:', last: 99 }, after: 17 },
      { since: beginning, until: position, after: 3 },
    ]) {
      expect(parseCursor(writeCursor({ history, time: 7, place }))).toEqual({ history, time: 7, place });
    }
    expect(parseCursor(`${history}-77-5-1700000000`)).toEqual({
      ...{ history, time: 1_700_000_000 },
      place: { since: { xact: '77', id: 5 }, until: null, after: 0 },
    });
  });

  it.each([
    `${history}-7`,
    `${history}-7-740:800`,
    `${history}-7-800:740:/1`,
    `${history}-7-740:800:1p/1`,
    `${history}-7-740:800:2,1/1`,
    `${history}-7-740:9999999999999999999:/1`,
    `${history}-7-740:800:/9999999999`,
    `${history}-7-740:800:/1-740:800:/1`,
    `${history}-7-740:800:/1-x-1`,
    `${history}-7-0:0:/1`,
  ])('%s is none', (text) => {
    expect(parseCursor(text)).toBeNull();
  });
});
