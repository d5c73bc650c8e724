import { beforeAll, describe, expect, it } from 'vitest';
import { packDay, packRow } from '../views/calendar/layout.ts';
import { type Entry, type SpanFields, spanValues, toEntries } from '../workspace/planning/span.ts';
import { hourMs, isoOf, localOf, oddDay, startOf } from '../workspace/planning/zone-clock.ts';
import { archField as field } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

const timed: SpanFields = {
  ...{ start: field('start', 'datetime'), stop: field('stop', 'datetime') },
  ...{ allDay: null, canMove: true, canResize: true },
};
const dated: SpanFields = { ...timed, start: field('start', 'date'), stop: field('stop', 'date') };
const entry = (values: object, fields = timed): Entry =>
  toEntries([{ id: 1, name: 'Visit', ...values }], fields, 'name')[0] as Entry;
const local = (text: string) => Date.parse(`${text}Z`);

describe('places in time', () => {
  beforeAll(() => {
    const { user } = testBootstrap();
    testBootstrap({ user: { ...user, tz: 'Europe/Berlin' } });
  });

  it('PLN-4 times are those of the person, on each side of a change of the clocks', () => {
    const visit = entry({ start: '2026-10-24T07:00:00Z', stop: '2026-10-24T08:30:00Z' });
    expect([visit.start, visit.end]).toEqual([local('2026-10-24T09:00'), local('2026-10-24T10:30')]);
    expect(localOf(Date.parse('2026-10-25T00:30:00Z'))).toBe(local('2026-10-25T02:30'));
    expect(localOf(Date.parse('2026-10-25T01:30:00Z'))).toBe(local('2026-10-25T02:30'));
    expect(isoOf(local('2026-10-25T12:00'))).toBe('2026-10-25T11:00:00.000Z');
  });

  it('PLN-4 the two odd days are known by their hours', () => {
    const spring = { hours: 23, from: local('2026-03-29T02:00'), to: local('2026-03-29T03:00') };
    expect(oddDay('2026-03-29')).toEqual(spring);
    const autumn = { hours: 25, from: local('2026-10-25T02:00'), to: local('2026-10-25T03:00') };
    expect(oddDay('2026-10-25')).toEqual(autumn);
    expect(oddDay('2026-10-26')).toBeNull();
  });

  it('PLN-4 a move keeps the time of day, and the hours that pass', () => {
    const night = entry({ start: '2026-10-23T23:00:00Z', stop: '2026-10-24T03:00:00Z' });
    expect([night.start, night.end]).toEqual([local('2026-10-24T01:00'), local('2026-10-24T05:00')]);
    const day = 24 * hourMs;
    const moved = { start: night.start + day, end: night.end + day, isAllDay: false };
    // From one to four on the wall: four hours in the night that has 25.
    expect(spanValues(timed, moved, night)).toEqual({
      start: '2026-10-24T23:00:00.000Z',
      stop: '2026-10-25T03:00:00.000Z',
    });
    // Pulled to five on the wall, it ends there.
    expect(spanValues(timed, { ...moved, end: moved.end + hourMs }, night).stop).toBe('2026-10-25T05:00:00.000Z');
  });

  it('PLN-4 whole days stay whole where clocks are set', () => {
    const fair = entry({ start: '2026-10-23T22:00:00Z', stop: '2026-10-24T22:00:00Z' });
    expect(fair.isAllDay).toBe(true);
    const next = { start: startOf('2026-10-25'), end: startOf('2026-10-26'), isAllDay: true };
    expect(spanValues(timed, next, fair)).toEqual({
      start: '2026-10-24T22:00:00.000Z',
      stop: '2026-10-25T23:00:00.000Z',
    });
  });

  it('PLN-15 whole days that a record marks are the same days in every zone, and are written as such', () => {
    const marked: SpanFields = { ...timed, allDay: 'all_day' };
    const days = { start: '2026-10-25T00:00:00Z', stop: '2026-10-26T00:00:00Z', all_day: true };
    const { user } = testBootstrap();
    for (const tz of ['Pacific/Auckland', 'Pacific/Honolulu', 'Europe/Berlin']) {
      testBootstrap({ user: { ...user, tz } });
      const fair = entry(days, marked);
      expect([fair.start, fair.end, fair.isAllDay], tz).toEqual([startOf('2026-10-25'), startOf('2026-10-26'), true]);
      const moved = { start: startOf('2026-03-29'), end: startOf('2026-03-31'), isAllDay: true };
      expect(spanValues(marked, moved, fair), tz).toEqual({
        start: '2026-03-29T00:00:00.000Z',
        stop: '2026-03-31T00:00:00.000Z',
      });
    }
    testBootstrap({ user: { ...user, tz: 'Europe/Berlin' } });
    // From midnight to midnight without the mark it has times, and a move leaves it so.
    const night = entry({ start: '2026-10-23T22:00:00Z', stop: '2026-10-24T22:00:00Z', all_day: false }, marked);
    expect(night.isAllDay).toBe(false);
  });

  it('PLN-4 days have no time, and their last one counts', () => {
    const trip = entry({ start: '2026-10-24', stop: '2026-10-26' }, dated);
    expect([trip.start, trip.end]).toEqual([startOf('2026-10-24'), startOf('2026-10-27')]);
    const later = { start: startOf('2026-10-30'), end: startOf('2026-11-02'), isAllDay: true };
    expect(spanValues(dated, later, trip)).toEqual({ start: '2026-10-30', stop: '2026-11-01' });
  });

  it('PLN-4 what has no end gets none by a move', () => {
    const call = entry({ start: '2026-11-16T08:00:00Z', stop: null });
    const later = { start: call.start + hourMs, end: call.end + hourMs, isAllDay: false };
    expect(spanValues(timed, later, call)).toEqual({ start: '2026-11-16T09:00:00.000Z' });
    expect(spanValues(timed, { ...later, end: later.end + hourMs }, call).stop).toBe('2026-11-16T11:00:00.000Z');
  });

  it('PLN-5 entries of a row lie under each other only where they meet', () => {
    const days = Array.from({ length: 7 }, (_, index) => `2026-11-${16 + index}`);
    const at = (id: number, start: string, stop: string) => ({ ...entry({ start, stop }, dated), id });
    const bars = packRow(
      [at(1, '2026-11-18', '2026-11-19'), at(2, '2026-11-10', '2026-11-17'), at(3, '2026-11-19', '2026-11-30')],
      days,
    );
    expect(bars.map(({ entry: { id }, first, length, lane }) => [id, first, length, lane])).toEqual([
      [2, 0, 2, 0],
      [1, 2, 2, 0],
      [3, 3, 4, 1],
    ]);
    expect(bars.map(({ isContinued, continues }) => [isContinued, continues])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  it('PLN-5 entries of a day share the width only where they overlap', () => {
    const at = (id: number, from: string, to: string) => {
      const [start, stop] = [`2026-11-16T${from}:00Z`, `2026-11-16T${to}:00Z`];
      return { ...entry({ start, stop }), id };
    };
    const blocks = packDay([at(1, '08:00', '10:00'), at(2, '09:00', '11:00'), at(3, '12:00', '13:00')], '2026-11-16');
    expect(blocks.map(({ column, columns }) => [column, columns])).toEqual([
      [0, 2],
      [1, 2],
      [0, 1],
    ]);
    expect(blocks[0]).toMatchObject({ from: 9 * 60, to: 11 * 60 });
  });
});
