import { describe, expect, it } from 'vitest';
import { dateIn, isDate, matchesPattern, parseInstant, startOfDay } from '../index.ts';

const iso = (date: string, tz: string) => new Date(startOfDay(date, tz)).toISOString();

describe('DOM-2 the first instant of a day', () => {
  const cases: [string, string, string, string][] = [
    ['plain', '2026-11-14', 'UTC', '2026-11-14T00:00:00.000Z'],
    ['ahead of UTC', '2026-11-14', 'Europe/Zurich', '2026-11-13T23:00:00.000Z'],
    ['summer', '2026-07-01', 'Europe/Zurich', '2026-06-30T22:00:00.000Z'],
    ['behind UTC', '2026-11-14', 'America/New_York', '2026-11-14T05:00:00.000Z'],
    ['the day clocks go forward', '2026-03-29', 'Europe/Zurich', '2026-03-28T23:00:00.000Z'],
    ['the day clocks go back', '2026-10-25', 'Europe/Zurich', '2026-10-24T22:00:00.000Z'],
    ['midnight is jumped over', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['clocks go back to the day before', '2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    ['midnight comes twice', '2024-11-03', 'America/Havana', '2024-11-03T04:00:00.000Z'],
    ['half hours', '2026-11-14', 'Asia/Kolkata', '2026-11-13T18:30:00.000Z'],
    ['the first year', '0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z'],
    ['an unknown zone counts as UTC', '2026-11-14', 'Nowhere/Land', '2026-11-14T00:00:00.000Z'],
  ];
  for (const [name, date, tz, expected] of cases) it(name, () => expect(iso(date, tz)).toBe(expected));

  it('the day it is in a zone', () => {
    const instant = new Date('2026-11-14T23:30:00Z');
    expect(dateIn('UTC', instant)).toBe('2026-11-14');
    expect(dateIn('Europe/Zurich', instant)).toBe('2026-11-15');
    expect(dateIn('America/New_York', new Date('2026-11-14T03:00:00Z'))).toBe('2026-11-13');
  });

  it('days and instants that do not exist are not taken', () => {
    expect(['2024-02-29', '2023-02-29', '2026-13-01', '2026-1-1', '0000-05-05', ''].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(parseInstant('2026-11-14T10:30+01:00')).toBe(Date.parse('2026-11-14T09:30:00Z'));
    expect(parseInstant('2026-11-14 09:30:00.1239Z')).toBe(Date.parse('2026-11-14T09:30:00.123Z'));
    expect(parseInstant('2026-11-14T24:00:00Z')).toBeNull();
    expect(parseInstant('2026-11-14T09:30:00+99:00')).toBeNull();
  });
});

describe('DOM-3 patterns', () => {
  it('a pattern that would make a backtracking matcher explode is decided at once', () => {
    expect(matchesPattern('a'.repeat(20_000), `${'%a'.repeat(50)}%b`)).toBe(false);
  });

  it('one character is one code point, line breaks are characters', () => {
    expect(matchesPattern('😀', '_')).toBe(true);
    expect(matchesPattern('a\nb', 'a_b')).toBe(true);
    expect(matchesPattern('a%b', 'a\\%b')).toBe(true);
    expect(matchesPattern('axb', 'a\\%b')).toBe(false);
  });
});
