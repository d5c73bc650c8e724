import { addDays, addMonths, dateOrderOf, dayFromText, instantFromText, isDate } from '@kontor/protocol';
import { dateFormat, timeZone } from './dates.ts';
import { today, toLocalInput } from './local-time.ts';
import { locale } from './messages.ts';

const numeric: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
  numberingSystem: 'latn',
  calendar: 'gregory',
};

/** A date as a person types it: `14.11.2026` or `11/14/2026`, as their language orders it. */
export function editDate(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? iso : dateFormat(numeric).format(date);
}

/** An instant as a person types it, on the clock of their time zone. */
export function editDateTime(instant: string): string {
  const local = toLocalInput(instant);
  return local === '' ? instant : `${editDate(local)} ${local.slice(11)}`;
}

/**
 * What a person typed as `YYYY-MM-DD`: in the order of their language, without the year, or as days, weeks, months from today
 * (`+3`, `-2w`, `+1m`). Null when empty, undefined when it is no date.
 */
export function parseDate(text: string, from = today()): string | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const shift = /^([+-]\d{1,4})([dwmy]?)$/i.exec(typed);
  const day = shift
    ? shiftDate(from, Number(shift[1]), shift[2]?.toLowerCase())
    : dayFromText(typed, { dateOrder: dateOrderOf(locale()), year: Number(from.slice(0, 4)) });
  return day !== null && isDate(day) ? day : undefined;
}

/** The same with a time behind it (`9:30`, `9.30 pm`); without one it is the start of the day. */
export function parseDateTime(text: string): string | null | undefined {
  const typed = text.trim().replace(/^[+-]\S+/, (shift) => parseDate(shift) ?? shift);
  if (typed === '') return null;
  const year = Number(today().slice(0, 4));
  const instant = instantFromText(typed, { dateOrder: dateOrderOf(locale()), tz: timeZone(), year });
  return instant === null ? undefined : new Date(instant).toISOString();
}

/** Days, weeks, months or years further; the 31st of a short month is its last day. */
export function shiftDate(day: string, count: number, unit = 'd'): string {
  if (unit === 'm' || unit === 'y') return addMonths(day, unit === 'y' ? count * 12 : count);
  return addDays(day, unit === 'w' ? count * 7 : count);
}
