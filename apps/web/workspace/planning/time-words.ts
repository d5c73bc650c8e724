import { clockFor } from '../../i18n/dates.ts';
import { locale } from '../../i18n/messages.ts';
import { dayMs, hourMs, startOf } from './zone-clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local times are stored as if they were UTC, so they are formatted as UTC. */
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()}${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale(), {
      ...options,
      ...clockFor(options),
      timeZone: 'UTC',
      calendar: 'gregory',
    });
    formats.set(key, found);
  }
  return found;
}

const hourMinute = { hour: 'numeric', minute: '2-digit' } as const;

/** A full hour: 08:00 or 8 AM. */
export function hourText(local: number): string {
  const isShort = format({ hour: 'numeric' }).resolvedOptions().hour12 === true;
  return format(isShort ? { hour: 'numeric' } : hourMinute).format(local);
}

/** A time of day in the user's format. */
export function timeText(local: number): string {
  return format(hourMinute).format(local);
}

/** 9 AM, 9:30 AM: minutes are left out of full hours if that is shorter. */
export function shortTime(local: number): string {
  return local % hourMs === 0 ? hourText(local) : timeText(local);
}

/** A time range: 09:00–10:30. */
export function timeRange(start: number, end: number): string {
  return end > start ? format(hourMinute).formatRange(start, end) : timeText(start);
}

type DayStyle = 'day' | 'weekday' | 'short' | 'long' | 'medium' | 'month' | 'monthShort';
const dayStyles: Readonly<Record<DayStyle, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric' },
  weekday: { weekday: 'short' },
  short: { day: 'numeric', month: 'short' },
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  medium: { weekday: 'long', day: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  monthShort: { month: 'short' },
};

/** A day in the user's format. */
export function dayText(day: string, style: DayStyle): string {
  return format(dayStyles[style]).format(startOf(day));
}

/** 16 – 22 November 2026; `from` and `to` are inclusive. */
export function daysText(from: string, to: string): string {
  return format({ day: 'numeric', month: 'long', year: 'numeric' }).formatRange(startOf(from), startOf(to));
}

/** 1 Nov – 12 Dec 2026, where space is short. */
export function shortDaysText(from: string, to: string): string {
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(startOf(from), startOf(to));
}

/** A time span in words: days only for whole days, otherwise with times. */
export function spanText({ start, end, isAllDay }: { start: number; end: number; isAllDay: boolean }): string {
  if (isAllDay) return format({ day: 'numeric', month: 'short' }).formatRange(start, end - dayMs);
  return format({ weekday: 'short', day: 'numeric', month: 'short', ...hourMinute }).formatRange(start, end);
}

/** The ISO week number. */
export function weekNumber(day: string): number {
  const at = startOf(day);
  const thursday = at + (3 - ((Math.floor(at / dayMs) + 3) % 7)) * dayMs;
  const first = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - first) / dayMs / 7) + 1;
}
