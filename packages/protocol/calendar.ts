const dayText = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const dayMs = 86_400_000;

/** Days from the first up to, but not with, the last. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`, in a year from 1 to 9999. */
export function isDate(text: string): boolean {
  const match = dayText.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= monthLength(year, month);
}

function monthLength(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (monthLengths[month - 1] as number);
}

/**
 * The date a number of days later, or earlier.
 * ```ts
 * const tomorrow = addDays(dateIn('Europe/Berlin', new Date()), 1);
 * ```
 */
export function addDays(day: string, count: number): string {
  return toDay(startInUtc(day) + count * dayMs);
}

/**
 * The date a number of months later; the 31st becomes the last day of a shorter month.
 * ```ts
 * const endOfFebruary = addMonths('2027-01-31', 1);
 * ```
 */
export function addMonths(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  const last = Math.min(Number(day.slice(8, 10)), monthLength(year, month));
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(last)].join('-');
}

/**
 * The first day of a date's month.
 * ```ts
 * const firstOfNextMonth = startOfMonth(addMonths('2026-11-17', 1));
 * ```
 */
export function startOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/**
 * The number of days from the first date to the second.
 * ```ts
 * const nights = daysBetween('2026-11-17', '2026-11-20');
 * ```
 */
export function daysBetween(from: string, to: string): number {
  return Math.round((startInUtc(to) - startInUtc(from)) / dayMs);
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(startInUtc(day)).getUTCDay() || 7;
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day));
}

interface WeekLocale extends Intl.Locale {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** The first day of the week: 1 is Monday, 7 Sunday, as in ISO; Monday if the browser does not know. */
export function firstWeekdayIn(locale: string): number {
  const here = new Intl.Locale(locale) as WeekLocale;
  return (here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1;
}

/** The first day of a day's week. */
export function weekStartOf(day: string, firstWeekday: number): string {
  return addDays(day, -((weekdayOf(day) - firstWeekday + 7) % 7));
}

/** Milliseconds since 1970 at which the day starts in UTC. */
export function startInUtc(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day of milliseconds since 1970, in UTC. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
