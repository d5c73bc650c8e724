import { describe, expect, it } from 'vitest';
import { parseDate, parseDateTime } from '../i18n/parse-dates.ts';
import { editDate, editDateTime } from '../i18n/typed-dates.ts';
import { firstWeekday, tinyWeekdayNames, weekdayNames, weekStart } from '../ui/month-grid.tsx';
import { parseCell } from '../views/table/paste.ts';
import { bucketOf, rangeOf } from '../workspace/date-buckets.ts';
import { archField } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

const berlin = { id: 1, name: 'Ada', login: 'ada', initials: 'A', isAdmin: true, tz: 'Europe/Berlin' };

describe('a date that somebody types', () => {
  it('is read in the order of their language', () => {
    testBootstrap({ lang: 'de_DE' });
    expect(editDate('2026-11-04')).toBe('04.11.2026');
    expect(parseDate('4.11.2026')).toBe('2026-11-04');
    expect(parseDate('04.11.26')).toBe('2026-11-04');
    expect(parseDate('4.11.', '2026-06-01')).toBe('2026-11-04');
    testBootstrap({ lang: 'en_US' });
    expect(editDate('2026-11-04')).toBe('11/04/2026');
    expect(parseDate('11/4/2026')).toBe('2026-11-04');
    expect(parseDate('2026-11-04')).toBe('2026-11-04');
  });

  it('may be a number of days, weeks or months from today', () => {
    expect(parseDate('+3', '2026-12-30')).toBe('2027-01-02');
    expect(parseDate('-2w', '2026-11-15')).toBe('2026-11-01');
    expect(parseDate('+1m', '2026-01-31')).toBe('2026-02-28');
    expect(parseDate('+1y', '2024-02-29')).toBe('2025-02-28');
  });

  it('TYP-2 may be in words, with a time behind them', () => {
    testBootstrap({ lang: 'de_DE', user: berlin });
    expect(parseDate('21. Dez', '2026-11-18')).toBe('2026-12-21');
    expect(parseDate('morgen', '2026-11-18')).toBe('2026-11-19');
    expect(parseDateTime('morgen 9:30', false, '2026-11-18')).toBe('2026-11-19T08:30:00.000Z');
    expect(parseDateTime('next monday 14:00', false, '2026-11-18')).toBe('2026-11-23T13:00:00.000Z');
  });

  it('is refused when there is no such day, and empty when nothing is there', () => {
    expect(parseDate('  ')).toBeNull();
    for (const text of ['2', '2/30/2026', '13/13/2026', 'soon', '1/2/3/4', '2026-13-01', '0/0']) {
      expect(parseDate(text), text).toBeUndefined();
    }
  });

  it('TYP-6 a day without a time reaches its end where it ends something, on the clock of the person', () => {
    testBootstrap({ lang: 'de_DE', user: berlin });
    expect(parseDateTime('27.11.2026', true)).toBe('2026-11-27T22:59:00.000Z');
    expect(parseDateTime('morgen', true, '2026-07-04')).toBe('2026-07-05T21:59:00.000Z');
    expect(parseDateTime('27.11.2026 9:30', true)).toBe('2026-11-27T08:30:00.000Z');
    const end = archField('stop', 'datetime', { isEnd: true });
    expect(parseCell(end, '27.11.2026')).toBe('2026-11-27T22:59:00.000Z');
    expect(parseCell(archField('start', 'datetime'), '27.11.2026')).toBe('2026-11-26T23:00:00.000Z');
  });

  it('takes a time on the clock of the person', () => {
    testBootstrap({ lang: 'de_DE', user: berlin });
    expect(parseDateTime('4.11.2026 9:30')).toBe('2026-11-04T08:30:00.000Z');
    expect(parseDateTime('2026-07-04T09:30')).toBe('2026-07-04T07:30:00.000Z');
    expect(parseDateTime('4.11.2026')).toBe('2026-11-03T23:00:00.000Z');
    expect(parseDateTime('25.10.2026 02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(parseDateTime('29.3.2026 02:30')).toBe('2026-03-29T01:30:00.000Z');
    expect(editDateTime('2026-11-04T08:30:00Z')).toBe('04.11.2026 09:30');
    testBootstrap({ lang: 'en_US' });
    expect(parseDateTime('11/4/2026, 9:30 PM')).toBe('2026-11-04T21:30:00.000Z');
    expect(parseDateTime('11/4/2026 12:05 am')).toBe('2026-11-04T00:05:00.000Z');
    expect(parseDateTime('11/4/2026 25:00')).toBeUndefined();
    expect(parseDateTime('')).toBeNull();
  });
});

describe('a week', () => {
  it('FIG-23 begins and is numbered as the company does it, whatever the language', () => {
    testBootstrap({ lang: 'de_DE' });
    expect([firstWeekday(), weekdayNames()[0], weekStart('2026-11-15')]).toEqual([1, 'Mo', '2026-11-09']);
    expect([bucketOf('2027-01-02', 'week'), rangeOf('2026-W53')]).toEqual(['2026-W53', ['2026-12-28', '2027-01-04']]);
    testBootstrap({ lang: 'de_DE', weeks: { start: 7, firstDays: 1 } });
    expect([firstWeekday(), weekdayNames()[0], weekStart('2026-11-15')]).toEqual([7, 'So', '2026-11-15']);
    expect([bucketOf('2027-01-02', 'week'), rangeOf('2027-W01')]).toEqual(['2027-W01', ['2026-12-27', '2027-01-03']]);
  });

  it('SCN-99 has letters over a small month where the language has no short names', () => {
    testBootstrap({ lang: 'ar_AE' });
    expect(Math.max(...tinyWeekdayNames().map((name) => name.length))).toBe(1);
    expect(weekdayNames()).toContain('الخميس');
    testBootstrap({ lang: 'de_DE' });
    expect(tinyWeekdayNames()).toEqual(weekdayNames());
  });
});
