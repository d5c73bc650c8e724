import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  dateOrderOf,
  dayFromText,
  daysBetween,
  instantFromText,
  weekdayOf,
  weekStartOf,
} from '../index.ts';

const german = { dateOrder: dateOrderOf('de-DE'), tz: 'Europe/Berlin' };
const american = { dateOrder: dateOrderOf('en-US'), tz: 'America/New_York' };

describe('days', () => {
  it('are counted by the calendar', () => {
    expect(addDays('2026-12-30', 3)).toBe('2027-01-02');
    expect(addDays('0001-01-02', -1)).toBe('0001-01-01');
    expect(['2026-01-31', '2024-01-31', '2026-11-30'].map((day) => addMonths(day, 1))).toEqual([
      ...['2026-02-28', '2024-02-29', '2026-12-30'],
    ]);
    expect(addMonths('2026-01-31', -2)).toBe('2025-11-30');
    expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect([weekdayOf('2026-11-15'), weekdayOf('2026-11-16'), weekStartOf('2026-11-15', 1)]).toEqual([
      7,
      1,
      '2026-11-09',
    ]);
  });
});

describe('TIM-1 what a person writes', () => {
  it.each([
    ['2026-11-04', '2026-11-04', '2026-11-04'],
    ['4.11.2026', '2026-11-04', '2026-04-11'],
    ['2026/11/4', '2026-11-04', '2026-11-04'],
    ['1.2.70', '1970-02-01', '1970-01-02'],
    ['1.2.26', '2026-02-01', '2026-01-02'],
    ['30.2.2026', '2026-02-30', '2026-30-02'],
    ['4.11.', null, null],
    ['12.50', null, null],
    ['soon', null, null],
    ['10:30', null, null],
    ['١٤/١١/٢٠٢٦', '2026-11-14', '2026-14-11'],
  ])('%j is a day in the order of their language', (text, inGerman, inAmerican) => {
    expect([dayFromText(text, german), dayFromText(text, american)]).toEqual([inGerman, inAmerican]);
  });

  it('a day without a year belongs to the year that is given', () => {
    expect(dayFromText('4.11.', { ...german, today: '2026-06-01' })).toBe('2026-11-04');
  });

  it.each([
    ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000Z'],
    ['2026-11-14 09:30', '2026-11-14T08:30:00.000Z'],
    ['14.11.2026', '2026-11-13T23:00:00.000Z'],
    ['14.11.2026, 9.30', '2026-11-14T08:30:00.000Z'],
    ['14.11.2026 9:30:15 PM', '2026-11-14T20:30:15.000Z'],
    ['14. 11.26', '2026-11-13T23:00:00.000Z'],
    ['25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
    ['29.3.2026 02:30', '2026-03-29T01:30:00.000Z'],
    ['14.11.2026 25:00', null],
    ['14.11.2026 13:00 pm', null],
    ['30.2.2026 10:00', null],
  ])('%j is an instant on their clock', (text, expected) => {
    const instant = instantFromText(text, german);
    expect(instant === null ? null : new Date(instant).toISOString()).toBe(expected);
  });
});
