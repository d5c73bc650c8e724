const dayText = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const dayMs = 86_400_000;

/** A range of days; the end is exclusive. */
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

/** How weeks begin and are numbered. */
export interface WeekRule {
  /** 1 is Monday, 7 Sunday. */
  readonly start: number;
  /** Days of the year in its first week, at least: four by ISO 8601, one where it is the week of January 1. */
  readonly firstDays: 1 | 4;
}

export const isoWeeks: WeekRule = { start: 1, firstDays: 4 };

interface WeekInfo {
  readonly firstDay: number;
  readonly minimalDays?: number;
  readonly weekend?: readonly number[];
}

interface WeekLocale extends Intl.Locale {
  readonly weekInfo?: WeekInfo;
  getWeekInfo?(): WeekInfo;
}

/** As usual in the country of a locale; ISO 8601 where that is not known. */
export function weeksIn(locale: string): WeekRule {
  const info = weekInfoOf(locale);
  return info ? { start: info.firstDay, firstDays: info.minimalDays === 1 ? 1 : 4 } : isoWeeks;
}

/** The weekdays on which people do not work in the country of a locale: Saturday and Sunday where that is not known. */
export function weekendIn(locale: string): readonly number[] {
  return weekInfoOf(locale)?.weekend ?? [6, 7];
}

function weekInfoOf(locale: string): WeekInfo | undefined {
  if (!/^[a-z]{2,3}(-[A-Z]{2})?$/.test(locale)) return undefined;
  const here = new Intl.Locale(locale) as WeekLocale;
  return here.getWeekInfo?.() ?? here.weekInfo;
}

/** The week of a day, as `read_group` names it: `2026-W47`. */
export function weekOf(day: string, { start, firstDays }: WeekRule): string {
  // A week is of the year that has the last day by which it could still be the first week.
  const decisive = addDays(weekStartOf(day, start), 7 - firstDays);
  const year = decisive.slice(0, 4);
  const week = Math.floor(daysBetween(`${year}-01-01`, decisive) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The first day of the week with that number. */
export function startOfWeek(year: string, week: number, { start, firstDays }: WeekRule): string {
  return addDays(weekStartOf(`${year}-01-0${firstDays}`, start), (week - 1) * 7);
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
