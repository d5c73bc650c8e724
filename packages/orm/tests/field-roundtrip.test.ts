import { type Cell, ident, sql } from '@kontor/database';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, defineModel, type Field, fields } from '../index.ts';

const everything = defineModel('test.everything', {
  fields: {
    a_char: fields.char({ size: 64 }),
    a_text: fields.text(),
    a_html: fields.html(),
    an_integer: fields.integer(),
    a_float: fields.float(),
    a_decimal: fields.decimal(),
    a_price: fields.decimal({ precision: [12, 3] }),
    a_monetary: fields.monetary(),
    a_boolean: fields.boolean(),
    a_date: fields.date(),
    a_datetime: fields.datetime(),
    a_selection: fields.selection({ a: 'A', b: 'B' }),
    a_binary: fields.binary(),
    an_image: fields.image(),
    a_json: fields.json(),
    a_many2one: fields.many2one('test.everything'),
    a_reference: fields.reference(),
  },
});
const gif = Buffer.from('GIF89a......').toString('base64');

let world: TestWorld;
beforeAll(async () => {
  world = await createTestEnv([everything]);
  await world.database.execute(
    sql`insert into test_everything (id, a_boolean) overriding system value values (1000000, true)`,
  );
});
afterAll(() => world.drop());

/** Into the field's column and back, as writes and reads do it. */
async function roundtrip(name: string, given: unknown): Promise<{ value: unknown; back: unknown; json: unknown }> {
  const field = world.registry.model('test.everything').fields.get(name) as Field;
  const value = field.kind.cast(given, field);
  const column = ident(field.column as string);
  const [row] = await world.database.arrays(
    sql`insert into test_everything (${column}) values (${field.kind.toParameter(value)}) returning ${column}`,
  );
  const cell = (row as Cell[])[0] as Cell;
  const json = cell === null ? null : JSON.parse(field.kind.cellToJson(cell));
  return { value, back: field.kind.fromCell(cell), json };
}

describe('REC-10 a value comes back from the database as it went in', () => {
  it.each<[string, unknown, unknown]>([
    ['a_char', ' \'"\\ 😀\n', ' \'"\\ 😀\n'],
    ['a_text', 'x'.repeat(100_000), 'x'.repeat(100_000)],
    ['a_html', '<p>a &amp; b</p>', '<p>a &amp; b</p>'],
    ['an_integer', -(2 ** 31), -(2 ** 31)],
    ['a_float', 0.1, 0.1],
    ['a_float', 1.7976931348623157e308, 1.7976931348623157e308],
    ['a_float', 5e-324, 5e-324],
    ['a_price', 123456789.125, 123456789.125],
    ['a_monetary', '12.5', 12.5],
    ['a_boolean', true, true],
    ['a_date', '0001-01-01', '0001-01-01'],
    ['a_date', '9999-12-31', '9999-12-31'],
    ['a_datetime', '2026-03-29T02:30:00.5+01:00', '2026-03-29T01:30:00.500Z'],
    ['a_datetime', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['a_datetime', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['a_selection', 'b', 'b'],
    ['a_binary', 'AP8=', 'AP8='],
    ['an_image', gif, gif],
    ['a_json', { a: [1, 'x', null, { b: 1.5 }] }, { a: [1, 'x', null, { b: 1.5 }] }],
    ['a_json', 'text', 'text'],
    ['a_json', false, false],
    ['a_many2one', 1_000_000, 1_000_000],
    ['a_reference', 'test.everything,7', 'test.everything,7'],
  ])('%s %j', async (name, given, json) => {
    const result = await roundtrip(name, given);
    expect(result.back).toEqual(result.value);
    expect(result.json).toEqual(json);
  });

  it.each(Object.keys(everything.fields))('%s empty', async (name) => {
    const { back, value } = await roundtrip(name, null);
    expect(back).toEqual(value);
  });

  it('decimals of any size, to the last digit', async () => {
    const digits = fc.stringMatching(/^-?[1-9]\d{0,60}(\.\d{0,40}[1-9])?$/);
    await fc.assert(
      fc.asyncProperty(digits, async (text) => {
        const { back } = await roundtrip('a_decimal', text);
        expect((back as Decimal).toFixed()).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('numbers of up to 15 digits, in their shortest decimal form', async () => {
    const number = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: 0, max: 4 }));
    await fc.assert(
      fc.asyncProperty(number, async ([whole, scale]) => {
        const given = Number(`${whole}e-${scale}`);
        const { back, json } = await roundtrip('a_monetary', given);
        expect(json).toBe(given === 0 ? 0 : given);
        expect((back as Decimal).eq(new Decimal(String(given)))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('instants to the millisecond', async () => {
    const date = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(date, async (instant) => {
        const { back } = await roundtrip('a_datetime', instant.toISOString());
        expect(back).toBe(instant.toISOString());
      }),
      { numRuns: 50 },
    );
  });

  long('text of any characters but null bytes', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 64 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const { back, json } = await roundtrip('a_char', given);
        expect(back).toBe(given);
        expect(json).toBe(given);
      }),
      { numRuns: 50 },
    );
  });
});
