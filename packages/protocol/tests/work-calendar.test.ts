import { long } from '@kontor/testing/long';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  afterWorkingTime,
  dateIn,
  nextWorkingTime,
  onWorkTime,
  spreadHours,
  toLocal,
  usualCalendar,
  usualWeek,
  type WorkCalendar,
  weekdayOf,
  weekendIn,
  workingTime,
  workingTimeOn,
} from '../index.ts';

const hour = 3_600_000;
const quarter = hour / 4;
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const;

/** Spans of quarters of an hour, some of them over the night in which clocks are set. */
const spans = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 0, maxLength: 4 })
  .map((edges) => edges.sort((a, b) => a - b))
  .map((edges) =>
    Array.from({ length: Math.floor(edges.length / 2) }, (_, n) => {
      const [from, to] = [edges[2 * n] as number, edges[2 * n + 1] as number];
      return [from * 15, to * 15] as const;
    }),
  );
const day = fc.integer({ min: 0, max: 420 }).map((n) => addDays('2026-02-01', n));
const calendars: fc.Arbitrary<WorkCalendar> = fc.record({
  tz: fc.constantFrom(...zones),
  week: fc.array(spans, { minLength: 7, maxLength: 7 }),
  off: fc.array(
    fc.tuple(day, fc.integer({ min: 0, max: 9 })).map(([first, n]) => [first, addDays(first, n)] as const),
    { maxLength: 6 },
  ),
});
const moments = fc
  .tuple(fc.integer({ min: 0, max: 400 * 96 }), fc.integer({ min: 0, max: 60 * 96 }))
  .map(([from, length]) => {
    const start = Date.parse('2026-02-05T00:00:00Z') + from * quarter;
    return [start, start + length * quarter] as const;
  });

/** Quarter by quarter: whether its clock time is within working hours. */
function isWork({ tz, week, off }: WorkCalendar, at: number): boolean {
  const today = dateIn(tz, new Date(at));
  if (off.some(([first, last]) => first <= today && today <= last)) return false;
  const minute = (toLocal(at, tz) - Date.parse(today)) / 60_000;
  return (week[weekdayOf(today) - 1] ?? []).some(([from, to]) => from <= minute && minute < to);
}

function counted(calendar: WorkCalendar, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += quarter) if (isWork(calendar, at)) sum += quarter;
  return sum;
}

/** Spans that meet the hour that comes twice or not at all are read by their first moment: they are left to their own test. */
function isPlain({ tz, week }: WorkCalendar): boolean {
  const hours = tz === 'Australia/Lord_Howe' ? [60, 150] : [60, 180];
  return week.every((own) =>
    own.every(([from, to]) => [from, to].every((edge) => edge <= (hours[0] ?? 0) || edge >= (hours[1] ?? 0))),
  );
}

describe('WRK-1 working time', () => {
  long(
    'equals the quarters of an hour that are within working hours, over holidays and clock changes in three zones',
    () => {
      fc.assert(
        fc.property(calendars.filter(isPlain), moments, (calendar, [from, to]) => {
          expect(workingTime(calendar, from, to)).toBe(counted(calendar, from, to));
        }),
        { numRuns: 60 },
      );
    },
  );

  long('is the sum of its days, spreads hours without loss, and is found again by going forward', () => {
    fc.assert(
      fc.property(calendars, moments, (calendar, [from, to]) => {
        const all = ['1970-01-01', '2100-01-01'] as const;
        const length = workingTime(calendar, from, to);
        if (to > from) {
          const sum = (hours: number | null) =>
            [...spreadHours(calendar, { start: from, end: to, hours }, all).values()].reduce((a, b) => a + b, 0);
          expect(sum(100)).toBeCloseTo(100, 6);
          if (length > 0) expect(sum(null) * hour).toBeCloseTo(length, 3);
        }
        if (length === 0) return;
        const start = nextWorkingTime(calendar, from);
        const end = afterWorkingTime(calendar, from, length);
        expect(workingTime(calendar, from, start)).toBe(0);
        expect(workingTime(calendar, start, start + 1)).toBe(1);
        expect(workingTime(calendar, from, end)).toBe(length);
        expect(end <= to).toBe(true);
        expect(workingTime(calendar, end - 1, end)).toBe(1);
        const first = dateIn(calendar.tz, new Date(from));
        const whole = Array.from({ length: 40 }, (_, n) => workingTimeOn(calendar, addDays(first, n)));
        const edge = (on: string) => afterMidnight(calendar, on);
        expect(workingTime(calendar, edge(first), edge(addDays(first, 40)))).toBe(whole.reduce((a, b) => a + b, 0));
      }),
      { numRuns: 200 },
    );
  });

  it('of a night shift is as long as the night really is', () => {
    const night: WorkCalendar = { tz: 'Europe/Berlin', week: Array(7).fill([[0, 360]]), off: [] };
    expect(workingTimeOn(night, '2026-03-29') / hour).toBe(5);
    expect(workingTimeOn(night, '2026-10-25') / hour).toBe(7);
    expect(workingTimeOn(night, '2026-10-26') / hour).toBe(6);
    const year = workingTime(night, Date.parse('2025-12-31T23:00Z'), Date.parse('2026-12-31T23:00Z'));
    expect(year / hour).toBe(365 * 6);
  });

  it('does not cost more for a thousand years, and ends where nobody ever works', () => {
    const calendar = { ...usualCalendar('Europe/Berlin'), off: [['2026-12-24', '2026-12-26']] as const };
    const weeks = workingTime(calendar, Date.parse('2000-01-03T00:00Z'), Date.parse('9000-01-06T00:00Z'));
    expect(weeks / hour / 40).toBeGreaterThan(300_000);
    const never: WorkCalendar = { tz: 'UTC', week: Array(7).fill([]), off: [] };
    expect(nextWorkingTime(never, 5)).toBe(5);
    expect(afterWorkingTime(never, 5, 10)).toBe(15);
    expect(onWorkTime(never, { start: 0, end: hour }, 5)).toEqual({ start: 5, end: 5 + hour });
  });

  it('outside of working hours, hours are spread over all the time', () => {
    const friday = Date.parse('2026-11-13T17:00Z');
    const weekend = { start: friday, end: friday + 48 * hour, hours: 12 };
    const days = spreadHours(usualCalendar('UTC'), weekend, ['2026-11-01', '2026-12-01']);
    expect([...days]).toEqual([
      ['2026-11-13', 1.75],
      ['2026-11-14', 6],
      ['2026-11-15', 4.25],
    ]);
    const taken = spreadHours(usualCalendar('UTC'), { ...weekend, hours: null }, ['2026-11-14', '2026-11-15']);
    expect([...taken]).toEqual([['2026-11-14', 8]]);
  });

  it('WRK-2 weekends are those of the country', () => {
    expect([weekendIn('und-DE'), weekendIn('und-EG'), weekendIn('und-IN'), weekendIn('')]).toEqual([
      [6, 7],
      [5, 6],
      [7],
      [6, 7],
    ]);
    expect(usualWeek(weekendIn('und-EG')).map((own) => own.length)).toEqual([2, 2, 2, 2, 0, 0, 2]);
  });
});

function afterMidnight({ tz }: WorkCalendar, on: string): number {
  let at = Date.parse(`${addDays(on, -1)}T00:00Z`);
  while (dateIn(tz, new Date(at)) < on) at += quarter;
  return at;
}
