import { csvLine, guardCell } from '@kontor/protocol';
import { createTestDatabase } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cell } from '../pool/type-parsers.ts';
import { compile, fillSlots, precompile, slot, sql } from '../sql/sql.ts';
import { csvRows, csvShape } from '../wire/csv-rows.ts';
import { type CellForm, jsonShape } from '../wire/json-rows.ts';

type World = Awaited<ReturnType<typeof createTestDatabase>>;
let world: World;
beforeAll(async () => {
  world = await createTestDatabase({ maxConnections: 2 });
});
afterAll(() => world.drop());

/** One column `v` with these values, in their order. */
function column(values: readonly unknown[], type: 'text' | 'numeric' | 'timestamptz(3)' | 'bool' | 'jsonb' | 'bytea') {
  const from = sql`from unnest(${values}::text[]) with ordinality as given(v, n) order by n`;
  switch (type) {
    case 'text':
      return sql`select v ${from}`;
    case 'numeric':
      return sql`select v::numeric ${from}`;
    case 'timestamptz(3)':
      return sql`select v::timestamptz(3) ${from}`;
    case 'bool':
      return sql`select v::bool ${from}`;
    case 'jsonb':
      return sql`select v::jsonb ${from}`;
    case 'bytea':
      return sql`select convert_to(v, 'UTF8') ${from}`;
  }
}

function shapeOf(form: CellForm) {
  return jsonShape([{ key: 'v', index: 0, form, absent: 'null' }]);
}

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));

describe('lines of CSV', () => {
  test('EXP-4 are what the words of the protocol make of each text, byte by byte', () => {
    const signs = fc.constantFrom(...'=+-@\t\r\n;|,"\'ab é');
    const cells = fc.array(fc.oneof(fc.string({ unit: signs, maxLength: 8 }), text, fc.constant(null)), {
      minLength: 1,
    });
    const shape = csvShape([{ index: 0, form: 'text', absent: '' }]);
    fc.assert(
      fc.property(cells, (column) => {
        const rows = csvRows(shape);
        rows.begin([{ name: 'v', type: 25 }]);
        for (const cell of column) {
          const bytes = cell === null ? null : Buffer.from(cell);
          const head = Buffer.alloc(6);
          head.writeInt16BE(1, 0);
          head.writeInt32BE(bytes?.length ?? -1, 2);
          const row = Buffer.concat([head, bytes ?? Buffer.alloc(0)]);
          rows.row(row, 0, row.length);
        }
        const expected = column.map((cell) => csvLine([guardCell(Buffer.from(cell ?? '').toString())])).join('');
        expect(rows.end().bytes.toString()).toBe(expected);
      }),
    );
  });
});

describe('arrays on the way to the database', () => {
  test('PRF-23 hold what they were given, whatever their elements are', async () => {
    const texts = ['', 'NULL', 'null', ' a ', 'a,b', '{a}', '"', '\\', 'a"b\\c', 'plain', '\n', '\u00a0', 'é', null];
    const numbers = [0, -1.5, 1e300, Number.MAX_SAFE_INTEGER, null];
    const bytes = [Buffer.from([0, 255, 34, 92]), null];
    const [row] = await world.database.query(sql`
      select to_json(${texts}::text[])::text as texts, to_json(${numbers}::float8[])::text as numbers,
        to_json(${[true, false, null]}::bool[])::text as flags, to_json(${[]}::int4[])::text as none,
        to_json(${[12n, '7']}::int8[])::text as large, to_json(${[new Date(0)]}::timestamptz[])::text as times,
        to_json(${['{"a": "b\\"c"}']}::jsonb[])::text as json, encode((${bytes}::bytea[])[1], 'hex') as bytes,
        to_json(${[['a b', null], ['', 'x']]}::text[])::text as nested`);
    const read = Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => name !== 'bytes' && name !== 'times'));
    expect(Object.fromEntries(Object.entries(read).map(([name, json]) => [name, JSON.parse(String(json))]))).toEqual({
      ...{ texts, numbers, flags: [true, false, null], none: [], large: [12, 7] },
      ...{
        json: [{ a: 'b"c' }],
        nested: [
          ['a b', null],
          ['', 'x'],
        ],
      },
    });
    expect([row?.bytes, String(row?.times)]).toEqual(['00ff225c', expect.stringContaining('1970-01-01T')]);
  });
});

describe('JSON from the wire', () => {
  test('REC-5 texts come out as they went in, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { maxLength: 30 }), async (values) => {
        const json = await world.database.json(column(values, 'text'), shapeOf('text'));
        expect(JSON.parse(json)).toEqual(values.map((v) => ({ v })));
        expect(json).toBe(JSON.stringify(values.map((v) => ({ v }))));
      }),
      { numRuns: 300 },
    );
  });

  test('REC-5 every sign is escaped where it must be, wherever it stands among others', async () => {
    const signs = Array.from({ length: 0x17f }, (_, at) => String.fromCharCode(at + 1));
    const texts = signs.flatMap((sign) => ['', 'a', 'ab', 'abc', 'abcd'].map((before) => `${before}${sign}wxyz"`));
    const json = await world.database.json(column(texts, 'text'), shapeOf('text'));
    expect(json).toBe(JSON.stringify(texts.map((v) => ({ v }))));
  });

  test('REC-5 decimals keep their digits and lose zeros at the end', async () => {
    const values = ['0', '0.00', '-12.500', '100', '1200.0', '99999999999999999999.0001', null, '-0.5'];
    const json = await world.database.json(column(values, 'numeric'), shapeOf('decimal'));
    expect(json).toBe(
      '[{"v":0},{"v":0},{"v":-12.5},{"v":100},{"v":1200},{"v":99999999999999999999.0001},{"v":null},{"v":-0.5}]',
    );
  });

  test('REC-5 instants are told to the millisecond in UTC', async () => {
    const values = ['2026-11-14 09:30:00Z', '2024-02-29 00:00:00.25+02', '9999-12-31 23:59:59.999Z', null];
    const json = await world.database.json(column(values, 'timestamptz(3)'), shapeOf('instant'));
    expect(JSON.parse(json).map((row: { v: string }) => row.v)).toEqual([
      '2026-11-14T09:30:00.000Z',
      '2024-02-28T22:00:00.250Z',
      '9999-12-31T23:59:59.999Z',
      null,
    ]);
  });

  test('REC-5 booleans, JSON and what only a function knows', async () => {
    const { database } = world;
    expect(await database.json(column(['t', 'f', null], 'bool'), shapeOf('boolean'))).toBe(
      '[{"v":true},{"v":false},{"v":null}]',
    );
    expect(await database.json(column(['{"a": [1, "ü"]}', 'null'], 'jsonb'), shapeOf('json'))).toBe(
      '[{"v":{"a": [1, "ü"]}},{"v":null}]',
    );
    const base64 = (cell: Cell) => JSON.stringify((cell as Buffer).toString('base64'));
    const long = 'x'.repeat(100_000);
    const json = await database.json(column(['a', long, 'ü'], 'bytea'), shapeOf(base64));
    expect(JSON.parse(json).map((row: { v: string }) => Buffer.from(row.v, 'base64').toString())).toEqual([
      'a',
      long,
      'ü',
    ]);
  });

  test('REC-5 a function that fails fails the statement and leaves the connection usable', async () => {
    const fail = (): string => {
      throw new Error('no such form');
    };
    await expect(world.database.json(sql`select 1 as v`, shapeOf(fail))).rejects.toThrow('no such form');
    expect(await world.database.arrays(sql`select 2`)).toEqual([[2]]);
  });

  test('REC-5 no rows are an empty array', async () => {
    expect(await world.database.json(sql`select 1 as v where false`, shapeOf('digits'))).toBe('[]');
  });
});

describe('statements that are sent again and again', () => {
  test('parameters of every kind arrive as they were given', async () => {
    const values = fc.record({
      words: fc.array(fc.option(text), { maxLength: 5 }),
      numbers: fc.array(fc.option(fc.integer({ min: -1e9, max: 1e9 })), { maxLength: 5 }),
      word: fc.option(text),
      number: fc.option(fc.integer({ min: -1e9, max: 1e9 })),
      flag: fc.option(fc.boolean()),
      bytes: fc.option(fc.uint8Array({ maxLength: 20 })),
    });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const [row] = await world.database.query<Record<string, unknown>>(sql`
          select to_jsonb(${given.words}::text[])::text as words, to_jsonb(${given.numbers}::int4[])::text as numbers,
            ${given.word}::text as word, ${given.number}::int4 as number, ${given.flag}::bool as flag, ${given.bytes}::bytea as bytes`);
        expect({ ...row, words: JSON.parse(String(row?.words)), numbers: JSON.parse(String(row?.numbers)) }).toEqual({
          ...given,
          bytes: given.bytes === null ? null : Buffer.from(given.bytes),
        });
      }),
      { numRuns: 300 },
    );
  });

  test('they count the rows they touch and give what they return', async () => {
    const { database } = world;
    await database.execute(sql`create table touched (id int4 generated always as identity, name text)`);
    for (let round = 1; round <= 4; round++) {
      expect(
        await database.execute(sql`insert into touched (name) select n from unnest(${['a', 'b']}::text[]) n`),
      ).toBe(2);
      const made = await database.query<{ id: number }>(sql`insert into touched (name) values (${'c'}) returning id`);
      expect(made).toEqual([{ id: round * 3 }]);
      expect(await database.execute(sql`delete from touched where name = ${'nobody'}`)).toBe(0);
    }
  });

  test('rows larger than what arrives at once are put together', async () => {
    for (const length of [10, 70_000, 3_000_000]) {
      const [row] = await world.database.arrays(sql`select repeat('ü', ${length}::int4), ${length}::int4`);
      expect([String(row?.[0]).length, row?.[1]]).toEqual([length, length]);
    }
  });

  test('a statement whose result changed with the schema is prepared anew', async () => {
    const { database } = world;
    await database.execute(sql`create table shifting (id int4, name text)`);
    await database.execute(sql`insert into shifting values (1, 'one')`);
    const all = () => database.query(sql`select * from shifting`);
    for (let i = 0; i < 4; i++) expect(await all()).toEqual([{ id: 1, name: 'one' }]);
    await database.execute(sql`alter table shifting add column extra bool default true`);
    for (let i = 0; i < 4; i++) expect(await all()).toEqual([{ id: 1, name: 'one', extra: true }]);
  });

  test('an error fails its statement only', async () => {
    const divide = (by: number) => world.database.arrays(sql`select 10 / ${by}::int4`);
    for (let i = 0; i < 3; i++) {
      expect(await divide(2)).toEqual([[5]]);
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    }
    const outcomes = await Promise.allSettled([divide(1), divide(0), divide(5), divide(0), divide(10)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
});

test('settled SQL keeps its text and takes other values in its slots', async () => {
  const double = slot((given: number) => given * 2);
  const settled = precompile(sql`select ${'kept'}::text, ${double}::int4, ${double}::int4 + 1`);
  for (const value of [1, 2, 3]) {
    const filled = fillSlots(settled, value);
    expect(compile(filled)).toEqual({ text: 'select $1::text, $2::int4, $2::int4 + 1', values: ['kept', value * 2] });
    const row = ['kept', value * 2, value * 2 + 1];
    expect(await world.database.arrays(filled)).toEqual([row]);
    expect(await world.database.arrays(sql`select * from (${filled}) as x(a, b, c)`)).toEqual([row]);
  }
  await expect(world.database.arrays(settled)).rejects.toThrow(TypeError);
});
