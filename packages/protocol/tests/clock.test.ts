import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMonths,
  dateIn,
  fromLocal,
  isDate,
  isTimeZone,
  onDay,
  parseInstant,
  startOfDay,
  startOfMonth,
  toLocal,
} from '../index.ts';

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

describe('TIM-1 a local time', () => {
  const at = (local: string, tz: string) => new Date(fromLocal(Date.parse(`${local}Z`), tz)).toISOString();

  const cases: [string, string, string, string][] = [
    ['is one instant on most days', '2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
    ['is the first of two where clocks are set back', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['is past the hour that comes twice', '2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['moves on where clocks are set forward', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['is the first of two in the west', '2026-11-01T01:15', 'America/New_York', '2026-11-01T05:15:00.000Z'],
    ['moves on in the west', '2026-03-08T02:15', 'America/New_York', '2026-03-08T07:15:00.000Z'],
    ['may be set back by half an hour', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['moves on over a day that never was', '2011-12-30T09:00', 'Pacific/Apia', '2011-12-30T19:00:00.000Z'],
    ['is UTC in a zone that nobody knows', '2026-07-01T09:30', '+02:00', '2026-07-01T09:30:00.000Z'],
  ];
  for (const [name, local, tz, expected] of cases) it(name, () => expect(at(local, tz)).toBe(expected));

  it('comes back from every instant but those that show a time for the second time', () => {
    const zones = ['Europe/Berlin', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    const instants = fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2037-01-01') });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, tz) => {
        const local = toLocal(instant, tz);
        const back = fromLocal(local, tz);
        expect(toLocal(back, tz)).toBe(local);
        expect(back).toBeLessThanOrEqual(instant);
      }),
    );
  });

  it('has a zone with a name', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Base', '+02:00', ''].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('LAN-5 the same time on another day', () => {
  const cases: [string, string, string, string, string][] = [
    ['in winter', '2026-11-16T08:00:00.000Z', '2026-11-23', 'Europe/Berlin', '2026-11-23T08:00:00.000Z'],
    ['clocks go back', '2026-10-23T07:00:00.000Z', '2026-10-30', 'Europe/Berlin', '2026-10-30T08:00:00.000Z'],
    ['clocks go forward', '2026-03-27T08:00:00.000Z', '2026-04-03', 'Europe/Berlin', '2026-04-03T07:00:00.000Z'],
    [
      'an hour that is jumped over',
      '2026-03-22T01:30:00.000Z',
      '2026-03-29',
      'Europe/Berlin',
      '2026-03-29T01:30:00.000Z',
    ],
    ['another day in UTC', '2026-10-22T23:30:00.000Z', '2026-10-30', 'Asia/Tokyo', '2026-10-29T23:30:00.000Z'],
    ['before 1970', '1969-10-22T23:30:00.000Z', '1969-10-25', 'UTC', '1969-10-25T23:30:00.000Z'],
  ];
  for (const [name, instant, day, tz, expected] of cases)
    it(`LAN-5 ${name}`, () => expect(onDay(instant, day, tz)).toBe(expected));

  it('LAN-5 days of text, months that are shorter, and the first of a month', () => {
    expect(dateIn('Europe/Berlin', '2026-11-17T23:30:00.000Z')).toBe('2026-11-18');
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(startOfMonth(addMonths('2026-11-17', -12))).toBe('2025-11-01');
  });
});
