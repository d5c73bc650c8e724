import { BadValue, commonDecimalMark, type Field, fieldKinds } from '@kontor/orm';
import type { FieldType } from '@kontor/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTable } from '../import/open-table.ts';
import { notationOf } from '../import/plan-columns.ts';

const german = notationOf({ lang: 'de_DE', tz: 'Europe/Berlin' });
const american = notationOf({ lang: 'en_US', tz: 'America/New_York' });
const british = notationOf({ lang: 'en_GB', tz: 'UTC' });
type Notation = ReturnType<typeof notationOf>;

/** What a cell of a column of these cells means to a field of a type. */
function read(type: FieldType, cell: string, notation: Notation, column: readonly string[] = [cell]): unknown {
  return fieldKinds[type].fromText(cell, {} as Field, { ...notation, mark: () => commonDecimalMark(column) });
}

describe('CSV', () => {
  it('IMP-4 counts rows as a spreadsheet does and leaves blank ones out', () => {
    const table = openTable('sep=;\na;b;\n1;"x\ny"\n\n2\n');
    expect(table.headers).toEqual(['a', 'b']);
    expect([...table.rows()]).toEqual([
      { row: 2, line: 2, cells: ['1', 'x\ny'] },
      { row: 4, line: 5, cells: ['2'] },
    ]);
  });
});

describe('numbers', () => {
  const number = (cell: string, notation: Notation, column?: readonly string[]) =>
    read('decimal', cell, notation, column);

  it.each([
    ['12.50', american, '12.50'],
    ['1,234.50', american, '1234.50'],
    ['1,234', american, '1234'],
    ['1,5', american, '1.5'],
    ['-7', american, '-7'],
    ['12.50', german, '12.50'],
    ['1.234,50', german, '1234.50'],
    ['1.234.567', german, '1234567'],
    ['1,234', german, '1.234'],
    ['0.125', german, '0.125'],
    ['1 234,5', german, '1234.5'],
    ['\u22125,0', german, '-5.0'],
    ['1e3', american, '1e3'],
  ] as const)('IMP-4 reads %j', (cell, notation, value) => {
    expect(number(cell, notation)).toBe(value);
  });

  it('IMP-4 lets the other cells of a column tell what one means, and refuses what could be two numbers', () => {
    expect(() => number('1.234', german)).toThrow(/1.234 could be 1234 or 1,234/);
    expect(number('1.234', german, ['1.234', '0,50'])).toBe('1234');
    expect(number('1.234', german, ['1.234', '2.5'])).toBe('1.234');
    expect(() => number('1.234', german, ['1.234', '2.5', '2,5'])).toThrow(BadValue);
    expect(read('integer', '1.234', german)).toBe(1234);
  });

  it.each(['x', '', '1,2,3', '1.2.3', '12 EUR', '--1', '1,23.4.5'])('IMP-4 refuses %j', (cell) => {
    expect(() => number(cell, american)).toThrow(BadValue);
  });

  it('IMP-4 reads every number as it would be exported', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const written = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(number(written, german)).toBe(written);
        expect(number(written, american)).toBe(written);
      }),
    );
  });
});

describe('dates and times', () => {
  it.each([
    ['2026-11-14', german, '2026-11-14'],
    ['14.11.2026', german, '2026-11-14'],
    ['1.2.26', german, '2026-02-01'],
    ['11/14/2026', american, '2026-11-14'],
    ['14/11/2026', british, '2026-11-14'],
    ['2026/11/14', american, '2026-11-14'],
  ] as const)('IMP-4 reads the day %j', (cell, notation, day) => {
    expect(read('date', cell, notation)).toBe(day);
  });

  it.each([
    ['2026-11-14T09:30:00Z', american, '2026-11-14T09:30:00.000Z'],
    ['2026-11-14 09:30:00+02:00', american, '2026-11-14T07:30:00.000Z'],
    ['2026-07-14 09:30', german, '2026-07-14T07:30:00.000Z'],
    ['14.1.2026, 09:30', german, '2026-01-14T08:30:00.000Z'],
    ['7/14/2026 9:30 PM', american, '2026-07-15T01:30:00.000Z'],
    ['2026-07-14', german, '2026-07-13T22:00:00.000Z'],
    ['29.3.2026 02:30', german, '2026-03-29T01:30:00.000Z'],
  ] as const)('IMP-4 reads the time %j', (cell, notation, instant) => {
    expect(read('datetime', cell, notation)).toBe(instant);
  });

  it.each(['31.4.2026', 'tomorrow', '2026-13-01', '14.11.2026 25:00', '14.11.2026 9:30 xm'])(
    'IMP-4 refuses %j',
    (cell) => {
      expect(() => read('datetime', cell, german)).toThrow(BadValue);
    },
  );
});
