import { fromLocal, isTimeZone } from '@kontor/addon';
import { type Component, type ContentLine, lineOf } from './content-lines.ts';

/** Names that Windows gives to time zones, of the places where most people live (CLDR `windowsZones`). */
const windowsZones: Readonly<Record<string, string>> = {
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'Arab Standard Time': 'Asia/Riyadh',
  'Arabian Standard Time': 'Asia/Dubai',
  'Atlantic Standard Time': 'America/Halifax',
  'Canada Central Standard Time': 'America/Regina',
  'Central America Standard Time': 'America/Guatemala',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Central Standard Time': 'America/Chicago',
  'China Standard Time': 'Asia/Shanghai',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'Eastern Standard Time': 'America/New_York',
  'Egypt Standard Time': 'Africa/Cairo',
  'FLE Standard Time': 'Europe/Kyiv',
  'GMT Standard Time': 'Europe/London',
  'GTB Standard Time': 'Europe/Bucharest',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'India Standard Time': 'Asia/Kolkata',
  'Israel Standard Time': 'Asia/Jerusalem',
  'Korea Standard Time': 'Asia/Seoul',
  'Morocco Standard Time': 'Africa/Casablanca',
  'Mountain Standard Time': 'America/Denver',
  'New Zealand Standard Time': 'Pacific/Auckland',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Romance Standard Time': 'Europe/Paris',
  'Russian Standard Time': 'Europe/Moscow',
  'SA Pacific Standard Time': 'America/Bogota',
  'SE Asia Standard Time': 'Asia/Bangkok',
  'Singapore Standard Time': 'Asia/Singapore',
  'South Africa Standard Time': 'Africa/Johannesburg',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'Turkey Standard Time': 'Europe/Istanbul',
  UTC: 'UTC',
  'W. Australia Standard Time': 'Australia/Perth',
  'W. Central Africa Standard Time': 'Africa/Lagos',
  'W. Europe Standard Time': 'Europe/Berlin',
};

/** A time of an invitation. */
export interface CalendarTime {
  readonly ms: number;
  /** A day without a time of day, as midnight in UTC. */
  readonly isDay: boolean;
}

/** The instant of a time; null if it is none. A time without a zone is taken as UTC. */
export function timeOf(line: ContentLine | null, calendar: Component): CalendarTime | null {
  const [, year, month, day, clock, hour, minute, second, zulu] =
    /^(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d))?(Z?)$/.exec(line?.value.trim() ?? '') ?? [];
  if (year === undefined) return null;
  const ms = Date.UTC(
    ...([Number(year), Number(month) - 1, Number(day)] as const),
    ...([Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)] as const),
  );
  // The thirtieth of February is no day.
  if (new Date(ms).getUTCDate() !== Number(day)) return null;
  if (clock === undefined) return { ms, isDay: true };
  const zone = line?.params.TZID ?? '';
  return { ms: zulu === 'Z' || zone === '' ? ms : instantIn(zone, ms, calendar), isDay: false };
}

/** `PT1H30M`, in milliseconds; null if it is none. */
export function durationOf(line: ContentLine | null): number | null {
  const [whole, weeks = '0', days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^\+?P(?:(\d{1,3})W)?(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/.exec(
      line?.value.trim() ?? '',
    ) ?? [];
  if (whole === undefined) return null;
  const day = Number(weeks) * 7 + Number(days);
  return (((day * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

/** The time zone that a time names, if it has a usual name. */
export function zoneOf(line: ContentLine | null): string | null {
  const zone = line?.params.TZID ?? '';
  const name = plainName(zone);
  return isTimeZone(name) ? name : (windowsZones[zone] ?? null);
}

/** Some programs put their own name before that of the zone. */
function plainName(zone: string): string {
  return zone.replace(/^\/(?:[^/]+\/){1,2}(?=[A-Z][A-Za-z]+\/)/, '');
}

/** By the name of the zone; senders with names of their own describe the zone in the calendar. */
function instantIn(zone: string, local: number, calendar: Component): number {
  const name = plainName(zone);
  if (isTimeZone(name)) return fromLocal(local, name);
  const known = windowsZones[zone];
  if (known !== undefined) return fromLocal(local, known);
  return local - offsetIn(zone, local, calendar);
}

function offsetIn(zone: string, local: number, calendar: Component): number {
  const described = calendar.parts.find(
    (part) => part.name === 'VTIMEZONE' && lineOf(part, 'TZID')?.value.trim() === zone,
  );
  let [offset, since] = [0, Number.NEGATIVE_INFINITY];
  for (const rule of described?.parts ?? []) {
    const begins = lastBegin(rule, local);
    if (begins < since) continue;
    offset = offsetOf(lineOf(rule, 'TZOFFSETTO')?.value ?? '');
    since = begins;
  }
  return offset;
}

function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d)(\d\d)/.exec(text.trim()) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** When standard or daylight time began last before a local time: at its start, or yearly on a weekday of a month. */
function lastBegin(rule: Component, local: number): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(lineOf(rule, 'DTSTART')?.value ?? '') ?? [];
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0] = parts.map(Number);
  const first = Date.UTC(year, month - 1, day, hour, minute);
  const yearly = lineOf(rule, 'RRULE')?.value ?? '';
  const [, nth, weekday = ''] = /BYDAY=(-?\d)(SU|MO|TU|WE|TH|FR|SA)/.exec(yearly) ?? [];
  const inMonth = Number(/BYMONTH=(\d{1,2})/.exec(yearly)?.[1] ?? month) - 1;
  if (nth === undefined) return first <= local ? first : Number.NEGATIVE_INFINITY;
  const clock = (hour * 60 + minute) * 60_000;
  const own = new Date(local).getUTCFullYear();
  const begins = [own, own - 1].map((each) => nthWeekday(each, inMonth, Number(nth), weekday) + clock);
  return begins.find((ms) => ms <= local && ms >= first) ?? (first <= local ? first : Number.NEGATIVE_INFINITY);
}

const dayMs = 86_400_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function nthWeekday(year: number, month: number, nth: number, weekday: string): number {
  const wanted = weekdays.indexOf(weekday);
  if (nth > 0) {
    const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
    return Date.UTC(year, month, 1 + ((wanted - first + 7) % 7) + (nth - 1) * 7);
  }
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - (((last.getUTCDay() - wanted + 7) % 7) + (-nth - 1) * 7) * dayMs;
}
