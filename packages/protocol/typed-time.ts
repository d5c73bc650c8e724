import { isDate, startInUtc } from './calendar.ts';
import { fromLocal, parseInstant } from './clock.ts';
import { dayFromWords } from './day-words.ts';
import { latinDigits } from './typed-number.ts';

export type DatePart = 'day' | 'month' | 'year';

/** How a user writes dates and times: the order of their language, the clock of their time zone. */
export interface TimeNotation {
  readonly dateOrder: readonly DatePart[];
  readonly tz: string;
  /** For names of months and days; without it they are not read. */
  readonly locale?: string;
  /** What a day without a year and words such as `tomorrow` go by; without it they are not read. */
  readonly today?: string;
}

const between = String.raw`[^\da-z:+]+`;
const typedDay = new RegExp(String.raw`^(\d{1,4})${between}(\d{1,4})(?:${between}(\d{1,4}))?(?:${between})?$`, 'i');
const typedTime = /^(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s*([ap])\.?(?:m\.?)?)?$/i;

/** By language: to ask takes as long as drawing a field, and each date of a form asks. */
const orders = new Map<string, readonly DatePart[]>();

/** The parts of a date in the order in which a language writes them. */
export function dateOrderOf(locale: string): readonly DatePart[] {
  const known = orders.get(locale) ?? findDateOrder(locale);
  orders.set(locale, known);
  return known;
}

function findDateOrder(locale: string): readonly DatePart[] {
  const parts = new Intl.DateTimeFormat(locale, { calendar: 'gregory' }).formatToParts(0);
  const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []));
  return order.length === 3 ? order : ['year', 'month', 'day'];
}

/** A typed date as `YYYY-MM-DD`, null if it does not look like a date. The caller checks whether the day exists. */
export function dayFromText(text: string, { dateOrder, locale, today }: Omit<TimeNotation, 'tz'>): string | null {
  const numbers = typedDay
    .exec(latinDigits(text).trim())
    ?.slice(1)
    .filter((number) => number !== undefined);
  if (numbers === undefined) return locale === undefined ? null : dayFromWords(text, locale, today);
  const part = new Map(orderOf(numbers, dateOrder).map((name, index) => [name, numbers[index] as string]));
  const written = part.get('year') ?? today?.slice(0, 4);
  if (written === undefined) return null;
  return [fullYear(written), ...[part.get('month'), part.get('day')].map((number) => number?.padStart(2, '0'))].join(
    '-',
  );
}

/** The last minute of a day: what ends on a day reaches its end. */
export const endOfDay = '23:59';

/**
 * A typed instant: a time without an offset is in the user's time zone, a date means its start, or its end for what ends something. Null: it
 * is none.
 */
export function instantFromText(text: string, notation: TimeNotation, isEnd = false): number | null {
  const given = latinDigits(text).trim();
  const exact = parseInstant(given);
  if (exact !== null) return exact;
  const [, day = '', time = ''] = /^(.*\S)[\s,T]+(\d{1,2}[:.h]\d{2}.*)$/i.exec(given) ?? [];
  return (
    localInstant(day, readTime(time), notation) ?? localInstant(given, readTime(isEnd ? endOfDay : '0:00'), notation)
  );
}

function localInstant(text: string, seconds: number | null, notation: TimeNotation): number | null {
  const day = seconds === null ? null : dayFromText(text, notation);
  if (day === null || seconds === null || !isDate(day)) return null;
  return fromLocal(startInUtc(day) + seconds * 1_000, notation.tz);
}

/** Seconds since midnight. */
function readTime(text: string): number | null {
  const match = typedTime.exec(text);
  if (match === null) return null;
  const [hours, minutes, seconds] = [match[1], match[2], match[3] ?? '0'].map(Number) as [number, number, number];
  const half = match[4]?.toLowerCase();
  const isTime = minutes < 60 && seconds < 60 && (half ? hours >= 1 && hours <= 12 : hours < 24);
  if (!isTime) return null;
  const hour = half ? (hours % 12) + (half === 'p' ? 12 : 0) : hours;
  return (hour * 60 + minutes) * 60 + seconds;
}

/** A year of four digits in front is no other order than this one. */
function orderOf(numbers: readonly string[], own: readonly DatePart[]): readonly DatePart[] {
  if (numbers.length === 2) return own.filter((part) => part !== 'year');
  return numbers[0]?.length === 4 ? ['year', 'month', 'day'] : own;
}

function fullYear(year: string): string {
  if (year.length > 2) return year.padStart(4, '0');
  const number = Number(year);
  return String(number < 70 ? 2000 + number : 1900 + number);
}
