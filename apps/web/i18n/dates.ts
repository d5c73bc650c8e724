import { daysBetween, type WeekRule, writeDate } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { locale, tn } from './messages.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating one takes as long as rendering a field. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()}${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale(), { ...options, ...clockFor(options) });
    formats.set(key, found);
  }
  return found;
}

/** Times use the clock of the company's country, whatever the user's language. */
export function clockFor({ hour }: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions {
  const { hourCycle } = bootstrap();
  return hour && hourCycle ? { hourCycle } : {};
}

/** The user's time zone, such as Europe/Oslo. */
export function timeZone(): string {
  return bootstrap().user.tz || 'UTC';
}

/** How the company counts weeks. */
export function weekRule(): WeekRule {
  return bootstrap().weeks;
}

/** `2026-11-14` as 14 Nov 2026. A date has no time zone. */
export function formatDate(value: string): string {
  const date = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return value;
  const form = bootstrap().forms?.date;
  const known = form ? writeDate(form, date) : null;
  return known ?? dateFormat({ year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(date);
}

/** A datetime from the wire (`…Z`) in the user's time zone. */
export function formatDateTime(value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return dateFormat({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone(),
  }).format(date);
}

/** The time of a datetime, as 09:52. */
export function formatTime(value: string): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: timeZone() }).format(new Date(value));
}

/** A due date in words: 2 days late, today, in 28 days; distant ones as a date. */
export function dueWords(date: string, today: string): string {
  const days = daysBetween(today, date);
  if (Math.abs(days) > 60) return formatDate(date);
  if (days < 0) return tn('{n} day late', '{n} days late', -days);
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day');
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A relative time: 2 minutes ago; narrow: 2 min ago. */
export function formatRelative(value: string, now = Date.now(), style: 'long' | 'narrow' = 'long'): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style });
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(Math.trunc(seconds), 'second');
}

/** A bucket of `read_group` (`2026`, `2026-Q4`, `2026-11`, `2026-W46`, `2026-11-14`, `2026-11-14T09`) in words. */
export function formatBucket(bucket: string): string {
  if (/^\d{4}-\d{2}$/.test(bucket)) {
    return dateFormat({ year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${bucket}-01T00:00:00Z`));
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(bucket)) return formatDate(bucket);
  const quarter = /^(\d{4})-(Q\d|W\d{2})$/.exec(bucket);
  if (quarter) return `${quarter[2]} ${quarter[1]}`;
  const hour = /^(\d{4}-\d{2}-\d{2})T(\d{2})$/.exec(bucket);
  return hour ? `${formatDate(hour[1] as string)}, ${hour[2]}:00` : bucket;
}
