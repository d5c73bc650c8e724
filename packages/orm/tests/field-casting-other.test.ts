import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fields } from '../index.ts';
import { cast, fieldOf, refusal } from './cast-field.ts';

describe('REC-10 date', () => {
  it.each(['2026-11-14', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('takes %s', (day) => {
    expect(cast(fields.date(), day)).toBe(day);
  });
  it.each(['2026-02-30', '2023-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '0000-01-01'])('refuses %s', (day) => {
    expect(refusal(fields.date(), day)).toBe(`${day} is not a day of the calendar.`);
  });
  it.each(['2026-1-1', '14.11.2026', '2026-11-14T00:00:00Z', '20261114', ' 2026-11-14', '', 0, true, {}])(
    'refuses %j',
    (value) => {
      expect(refusal(fields.date(), value)).toBe('Must be a date in the format YYYY-MM-DD.');
    },
  );
});

describe('REC-10 datetime', () => {
  it.each([
    ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000Z'],
    ['2026-11-14T09:30Z', '2026-11-14T09:30:00.000Z'],
    ['2026-11-14T09:30:00.123456Z', '2026-11-14T09:30:00.123Z'],
    ['2026-11-14 09:30:00+02:00', '2026-11-14T07:30:00.000Z'],
    ['2026-11-14T00:30:00+0530', '2026-11-13T19:00:00.000Z'],
    ['2026-12-31T23:59:59.9-01:00', '2027-01-01T00:59:59.900Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('takes %s', (value, expected) => {
    expect(cast(fields.datetime(), value)).toBe(expected);
  });
  it('takes a Date of server code', () => {
    expect(cast(fields.datetime(), new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(refusal(fields.datetime(), new Date(Number.NaN))).toContain('1 to 9999');
  });
  it('refuses a time without an offset', () => {
    expect(refusal(fields.datetime(), '2026-11-14T09:30:00')).toContain('offset');
  });
  it.each(['2026-02-30T00:00:00Z', '2026-11-14T24:00:00Z', '2026-11-14T09:60:00Z', '2026-11-14T09:30:60Z'])(
    'refuses %s',
    (value) => {
      expect(refusal(fields.datetime(), value)).toContain('not a time of the calendar');
    },
  );
  it.each(['2026-11-14', 'now', '', 5, {}, '+002026-11-14T09:30:00Z'])('refuses %j', (value) => {
    expect(refusal(fields.datetime(), value)).toContain('2026-11-14T09:30:00Z');
  });
  it('refuses offsets that do not exist and years that an offset leads out of', () => {
    expect(refusal(fields.datetime(), '2026-11-14T09:30:00+99:00')).toContain('offset');
    expect(refusal(fields.datetime(), '0001-01-01T00:00:00+01:00')).toContain('1 to 9999');
    expect(refusal(fields.datetime(), '9999-12-31T23:59:59-01:00')).toContain('1 to 9999');
  });
  it.each([
    ['2026-11-14 09:30:00+00', '2026-11-14T09:30:00.000Z'],
    ['2026-11-14 09:30:00.5+00', '2026-11-14T09:30:00.500Z'],
    ['2026-11-14 09:30:00.123+00', '2026-11-14T09:30:00.123Z'],
    ['2026-11-14 09:30:00+02', '2026-11-14T07:30:00.000Z'],
    ['2026-11-14 09:30:00.12+05:30', '2026-11-14T04:00:00.120Z'],
  ])('reads the cell %s', (cell, expected) => {
    const { kind } = fieldOf(fields.datetime());
    expect(kind.fromCell(cell)).toBe(expected);
    expect(kind.cellToJson(cell)).toBe(`"${expected}"`);
  });
});

describe('REC-10 selection', () => {
  const spec = fields.selection({ draft: 'Draft', sale: 'Order' });
  it('takes declared values only', () => {
    expect(cast(spec, 'sale')).toBe('sale');
    expect(refusal(spec, 'drft')).toBe('"drft" is not one of the choices. Did you mean "draft"?');
    expect(refusal(spec, 'zzz')).toBe('"zzz" is not one of the choices. Choose one of: draft, sale.');
  });
  it.each(['__proto__', 'constructor', 'toString', ''])('refuses %j', (value) => {
    expect(refusal(spec, value)).toContain('is not one of the choices');
  });
  it('refuses other types', () => {
    expect(refusal(spec, 1)).toContain('as text');
  });
});

describe('REC-10 binary and image', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
  it('takes exactly the text that encodes some bytes', () => {
    const text = fc
      .array(fc.constantFrom(...'AQgw09+/=-_ \n\u0151\u00e9'), { maxLength: 12 })
      .map((each) => each.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
        ),
        (given) => {
          const isEncoded = given !== '' && Buffer.from(given, 'base64').toString('base64') === given;
          if (isEncoded) expect(cast(fields.binary(), given)).toBe(given);
          else if (given !== '') expect(refusal(fields.binary(), given)).toBe('This is not valid base64.');
        },
      ),
    );
  });
  it('takes strict base64', () => {
    const { kind } = fieldOf(fields.binary());
    expect(cast(fields.binary(), 'aGVsbG8=')).toBe('aGVsbG8=');
    expect(kind.toParameter('aGVsbG8=')).toEqual(Buffer.from('hello'));
    expect(kind.fromCell(Buffer.from('hello'))).toBe('aGVsbG8=');
    expect(kind.cellToJson(Buffer.from('hello'))).toBe('"aGVsbG8="');
    expect(cast(fields.binary(), '')).toBeNull();
  });
  it('takes bytes of server code as they are', () => {
    const bytes = Buffer.from('hello');
    expect(fieldOf(fields.binary()).kind.toParameter(cast(fields.binary(), bytes))).toBe(bytes);
    expect(refusal(fields.image(), bytes)).toContain('base64 text');
  });
  it.each([
    'aGVsbG8',
    'aGVs bG8=',
    'aGVsbG9=',
    'a-_=',
    'data:;base64,aGVsbG8=',
    '====',
    'QUI=QUI=',
    '\u0151UJD',
    'QUJ\u00e9',
    'Q=QQ',
  ])('refuses %j', (value) => {
    expect(refusal(fields.binary(), value)).toBe('This is not valid base64.');
  });
  it('refuses what is no text', () => {
    expect(refusal(fields.binary(), 7)).toContain('base64 text');
  });
  it.each([
    ['PNG', png],
    ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64')],
    ['GIF', Buffer.from('GIF89a......').toString('base64')],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64')],
  ])('takes %s', (_name, value) => {
    expect(cast(fields.image(), value)).toBe(value);
  });
  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>').toString('base64')],
    ['HTML', Buffer.from('<html>').toString('base64')],
    ['a RIFF sound', Buffer.from('RIFF\0\0\0\0WAVEfmt ').toString('base64')],
  ])('refuses %s', (_name, value) => {
    expect(refusal(fields.image(), value)).toBe('Use a PNG, JPEG, GIF or WebP picture.');
  });
});

describe('REC-10 json', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
  it.each([0, false, '', [], {}, { a: [1, { b: null }] }])('takes %j', (value) => {
    const { kind } = fieldOf(fields.json());
    expect(cast(fields.json(), value)).toEqual(value);
    expect(kind.fromCell(kind.toParameter(value) as string)).toEqual(value);
  });
  it('bounds the depth', () => {
    expect(cast(fields.json(), nest(64))).toBeDefined();
    expect(refusal(fields.json(), nest(65))).toContain('at most 64 deep');
  });
  it('refuses what JSON or PostgreSQL cannot hold', () => {
    expect(refusal(fields.json(), { a: 'x\0' })).toContain('null bytes');
    expect(refusal(fields.json(), { 'a\0': 1 })).toContain('null bytes');
    expect(refusal(fields.json(), ['\udc00'])).toContain('half of a character');
    for (const value of [Number.NaN, new Date(), () => 1, Symbol('x'), 1n, { a: undefined }]) {
      expect(refusal(fields.json(), value)).toBe('Must be a JSON value.');
    }
  });
});

describe('REC-10 relations', () => {
  it('many2one takes an id, null or false', () => {
    const spec = fields.many2one('test.target');
    expect(cast(spec, 7)).toBe(7);
    expect(cast(spec, false)).toBeNull();
    for (const value of [0, -1, 1.5, 2 ** 31, '7', true, [7], { id: 7 }]) {
      expect(refusal(spec, value)).toBe('Must be the id of a record, or null.');
    }
  });
  it('reference takes model and id', () => {
    const spec = fields.reference({ models: ['test.target'] });
    expect(cast(spec, 'test.target,7')).toBe('test.target,7');
    expect(cast(spec, { model: 'test.target', id: 7 })).toBe('test.target,7');
    expect(refusal(spec, 'test.targt,7')).toContain('Did you mean "test.target"?');
    for (const value of [
      'test.target',
      'test.target,0',
      'test.target,07',
      'x,1',
      'test.target,99999999999',
      7,
      { model: 1, id: 2 },
    ]) {
      expect(refusal(spec, value)).toContain('"model,id"');
    }
  });
});

describe('REC-10 x2many commands', () => {
  const spec = fields.many2many('test.target');
  it('takes each command', () => {
    const commands = [
      ['create', { name: 'a' }],
      ['update', 3, { name: 'b' }],
      ['update', 3, { name: 'b' }, { name: 'a' }],
      ['link', 4],
      ['unlink', 5],
      ['delete', 6],
      ['set', [1, 2]],
      ['clear'],
    ];
    expect(cast(spec, commands)).toEqual(commands);
  });
  it('null clears, a repeated id counts once', () => {
    expect(cast(spec, null)).toEqual([['clear']]);
    expect(cast(spec, [['set', [1, 1, 2]]])).toEqual([['set', [1, 2]]]);
  });
  it.each([
    [7],
    [[7]],
    [[['add', 3]]],
    [[['link']]],
    [[['link', 0]]],
    [[['link', 3, 4]]],
    [[['create']]],
    [[['create', [1]]]],
    [[['create', {}, 1]]],
    [[['update', 'x', {}]]],
    [[['update', 3]]],
    [[['update', 3, {}, {}, {}]]],
    [[['set', 3]]],
    [[['set', [0]]]],
    [[['clear', 1]]],
    [[['__proto__']]],
    [[6, 0, [1]]],
  ])('refuses %j', (value) => {
    expect(refusal(spec, value)).toMatch(/command|takes/);
  });
  it('has no column', () => {
    const given = fieldOf(spec);
    expect(given.kind.column(given)).toBeNull();
    expect(given.isStored).toBe(false);
  });
});
