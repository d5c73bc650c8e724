import { BadValue } from '@kontor/orm';
import { instantAt, isDate, parseInstant, text } from '@kontor/protocol';
import type { Notation } from './notation.ts';

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const ownDate = /^(\d{1,4})[./\- ]+(\d{1,2}|\d{4})[./\- ]+(\d{1,4})\.?$/;
const timePart = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s*([ap])\.?m\.?)?$/i;

/** A day as `YYYY-MM-DD`, from that or from how the person's language writes days. */
export function readDate(cell: string, { dateOrder }: Notation): string {
  const given = cell.trim();
  if (isoDate.test(given)) return checked(given, given);
  const match = ownDate.exec(given);
  if (!match) throw new BadValue(text('"{given}" is not a date. Write it as YYYY-MM-DD.', { given: shown(given) }));
  const numbers = match.slice(1, 4) as string[];
  // A year of four digits in front is no other order than this one.
  const order = numbers[0]?.length === 4 ? (['year', 'month', 'day'] as const) : dateOrder;
  const part = Object.fromEntries(order.map((name, index) => [name, numbers[index] as string]));
  const year = fullYear(part.year as string);
  const [month, day] = [part.month, part.day].map((each) => String(each).padStart(2, '0'));
  return checked(`${year}-${month}-${day}`, given);
}

/** An instant in UTC. A time without an offset is one in the person's time zone, a day is its beginning. */
export function readInstant(cell: string, notation: Notation): string {
  const given = cell.trim();
  const exact = parseInstant(given.replace(/^(\d{4}-\d{2}-\d{2})[Tt ]/, '$1T').replace(/[zZ]$/, 'Z'));
  if (exact !== null) return new Date(exact).toISOString();
  const [, day = given, time = ''] = /^(.*\d\.?)[,T\s]+(\d{1,2}:\d{2}.*)$/i.exec(given) ?? [];
  const date = readDate(day, notation);
  const seconds = time === '' ? 0 : readTime(time.trim(), given);
  return new Date(instantAt(date, seconds, notation.tz)).toISOString();
}

/** Seconds since midnight. */
function readTime(time: string, given: string): number {
  const match = timePart.exec(time);
  const [hours, minutes, seconds] = [match?.[1], match?.[2], match?.[3] ?? '0'].map(Number) as [number, number, number];
  const half = match?.[4]?.toLowerCase();
  const isTime = match && minutes < 60 && seconds < 60 && (half ? hours >= 1 && hours <= 12 : hours < 24);
  if (!isTime) {
    throw new BadValue(
      text('"{given}" is not a date and time. Write it as 2026-11-14T09:30:00Z.', { given: shown(given) }),
    );
  }
  const hour = half ? (hours % 12) + (half === 'p' ? 12 : 0) : hours;
  return (hour * 60 + minutes) * 60 + seconds;
}

function fullYear(year: string): string {
  if (year.length === 4) return year;
  if (year.length > 2) return year.padStart(4, '0');
  const number = Number(year);
  return String(number < 70 ? 2000 + number : 1900 + number);
}

function checked(date: string, given: string): string {
  if (isDate(date)) return date;
  throw new BadValue(text('{given} is not a day of the calendar.', { given: shown(given) }));
}

function shown(given: string): string {
  return given.slice(0, 60);
}
