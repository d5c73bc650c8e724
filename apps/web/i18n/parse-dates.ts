import { dateOrderOf, dayFromText, instantFromText, isDate, shiftDay } from '@kontor/protocol';
import { timeZone } from './dates.ts';
import { today } from './local-time.ts';
import { locale } from './messages.ts';

/**
 * Parses user input as `YYYY-MM-DD`: in the order of their language, without the year, in words (`21 Dec`, `tomorrow`,
 * `next Monday`), or as days, weeks, months from today (`+3`, `-2w`, `+1m`). Null if empty, undefined if it is not a
 * date.
 */
export function parseDate(text: string, from = today()): string | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const day = shiftedDay(typed, from) ?? dayFromText(typed, typedDays(from));
  return day !== null && isDate(day) ? day : undefined;
}

/** The same with a time (`9:30`, `9.30 pm`); without one, it is the start of the day, or its end for fields that end something. */
export function parseDateTime(text: string, isEnd = false, from = today()): string | null | undefined {
  const typed = text.trim().replace(/^[+-]\S+/, (shift) => shiftedDay(shift, from) ?? shift);
  if (typed === '') return null;
  const instant = instantFromText(typed, { ...typedDays(from), tz: timeZone() }, isEnd);
  return instant === null ? undefined : new Date(instant).toISOString();
}

function typedDays(from: string) {
  return { dateOrder: dateOrderOf(locale()), locale: locale(), today: from };
}

const units = { '': 'day', d: 'day', w: 'week', m: 'month', y: 'year' } as const;

function shiftedDay(typed: string, from: string): string | null {
  const [, count, unit = ''] = /^([+-]\d{1,4})([dwmy]?)$/.exec(typed.toLowerCase()) ?? [];
  return count === undefined ? null : shiftDay(from, Number(count), units[unit as keyof typeof units]);
}
