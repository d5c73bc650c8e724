import { describe, expect, it } from 'vitest';
import {
  criticalIds,
  onWorkTime,
  pushedFollowers,
  type Scheduled,
  scheduledSpan,
  usualCalendar,
  type WorkCalendar,
} from '../index.ts';

const at = (text: string) => Date.parse(`${text}:00Z`);
const task = (id: number, from: string, to: string, ...waitsFor: number[]): Scheduled => ({
  id,
  start: at(from),
  end: at(to),
  waitsFor,
});
const usual = usualCalendar('UTC');
const text = (local: number) => new Date(local).toISOString().slice(0, 16);

// Monday the 9th to Friday the 20th of November 2026.
const survey = task(1, '2026-11-09T08:00', '2026-11-12T16:00');
const plan = task(2, '2026-11-13T08:00', '2026-11-17T16:00', 1);
const install = task(3, '2026-11-18T08:00', '2026-11-20T16:00', 2);
const paint = task(4, '2026-11-13T08:00', '2026-11-13T16:00', 1);

describe('PLN-11 the critical path', () => {
  it('has the entries without slack among all that are joined, whatever their order', () => {
    expect([...criticalIds([survey, plan, install, paint], usual)].sort()).toEqual([1, 2, 3]);
    expect([...criticalIds([paint, install, plan, survey], usual)].sort()).toEqual([1, 2, 3]);
    expect([...criticalIds([survey, plan], usual)].sort()).toEqual([1, 2]);
    expect([...criticalIds([survey, install], usual)]).toEqual([]);
  });

  it('takes a holiday between two entries for no slack', () => {
    const closed = { ...usual, off: [['2026-11-13', '2026-11-17']] as const };
    expect([
      ...criticalIds(
        [survey, install].map((one) => ({ ...one, waitsFor: one.id === 3 ? [1] : [] })),
        usual,
      ),
    ]).toEqual([3]);
    expect([
      ...criticalIds(
        [survey, install].map((one) => ({ ...one, waitsFor: one.id === 3 ? [1] : [] })),
        closed,
      ),
    ]).toEqual([3, 1].sort());
  });

  it('follows a chain of thousands, and ends in a circle', () => {
    const day = 86_400_000;
    const chain = Array.from({ length: 8_000 }, (_, n) => ({
      ...{ id: n, start: survey.start + n * day, end: survey.start + (n + 1) * day },
      waitsFor: n === 0 ? [] : [n - 1],
    }));
    expect(criticalIds(chain, usual).size).toBe(8_000);
    expect(
      criticalIds(
        [task(1, '2026-11-09T08:00', '2026-11-10T16:00', 2), task(2, '2026-11-11T08:00', '2026-11-12T16:00', 1)],
        usual,
      ).size,
    ).toBeLessThanOrEqual(2);
  });
});

describe('PLN-9 what waits for a bar', () => {
  const pushed = (end: string, followers: readonly Scheduled[], calendar: WorkCalendar = usual) =>
    [
      ...pushedFollowers({ id: 1, end: at(end) }, followers, (follower, from) => onWorkTime(calendar, follower, from)),
    ].map(([id, { start, end: until }]) => [id, text(start), text(until)]);

  it('moves to the next working moment with its working time, and pushes what waits for it', () => {
    expect(pushed('2026-11-13T17:00', [install, plan])).toEqual([
      [2, '2026-11-16T08:00', '2026-11-18T16:00'],
      [3, '2026-11-18T16:00', '2026-11-23T15:00'],
    ]);
    const closed = { ...usual, off: [['2026-11-16', '2026-11-16']] as const };
    expect(pushed('2026-11-13T15:00', [plan], closed)).toEqual([[2, '2026-11-13T15:00', '2026-11-18T14:00']]);
  });

  it('stays where it has slack, and where the bar ends earlier', () => {
    const later = task(5, '2026-11-27T08:00', '2026-11-27T16:00', 1, 2);
    expect(pushed('2026-11-13T16:00', [plan, later]).map(([id]) => id)).toEqual([2]);
    expect(pushed('2026-11-10T16:00', [plan, install, later])).toEqual([]);
  });

  it('takes as long as it lasts, up to a day of work, where it had no working time', () => {
    const weekend = { start: at('2026-11-14T10:00'), end: at('2026-11-15T12:00') };
    const { start, end } = onWorkTime(usual, weekend, at('2026-11-21T00:00'));
    expect([text(start), text(end)]).toEqual(['2026-11-23T08:00', '2026-11-23T17:00']);
    const hours = { start: at('2026-11-14T10:00'), end: at('2026-11-14T12:00') };
    expect(text(onWorkTime(usual, hours, at('2026-11-21T00:00')).end)).toBe('2026-11-23T10:00');
  });
});

it('PLN-11 the times of a record are those of the reader, and a last day counts whole', () => {
  const instants = [
    { name: 'a', type: 'datetime' },
    { name: 'b', type: 'datetime' },
  ] as const;
  const days = [
    { name: 'a', type: 'date' },
    { name: 'b', type: 'date' },
  ] as const;
  const told = (record: object, fields: typeof instants | typeof days, tz = 'UTC') => {
    const span = scheduledSpan(record as never, fields, tz);
    return span && [text(span.start), text(span.end)];
  };
  const times = { a: '2026-11-09T23:00:00Z', b: '2026-11-10T01:00:00Z' };
  expect(told(times, instants, 'Europe/Berlin')).toEqual(['2026-11-10T00:00', '2026-11-10T02:00']);
  expect(told({ a: '2026-11-09', b: '2026-11-10' }, days)).toEqual(['2026-11-09T00:00', '2026-11-11T00:00']);
  expect(told({ a: '2026-11-09', b: null }, days)).toEqual(['2026-11-09T00:00', '2026-11-10T00:00']);
  expect(told({ a: null, b: '2026-11-10' }, days)).toBeNull();
});
