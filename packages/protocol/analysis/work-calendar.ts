import { addDays, daysBetween, startInUtc, toDay, weekdayOf } from '../calendar.ts';
import { fromLocal, startOfDay, toLocal } from '../clock.ts';
import { lruCache } from '../lru-cache.ts';

const minuteMs = 60_000;

/** From and to, in minutes since midnight. */
export type WorkSpan = readonly [number, number];

/**
 * When a person or a company works: `work_calendar` of `core.user` and `core.company`.
 * ```ts
 * const isOffOnChristmas = (calendar: WorkCalendar) =>
 *   calendar.off.some(([first, last]) => first <= '2026-12-25' && last >= '2026-12-25');
 * ```
 */
export interface WorkCalendar {
  readonly tz: string;
  /** The spans of each weekday, Monday first. */
  readonly week: readonly (readonly WorkSpan[])[];
  /** Holidays and leave: the first and the last day of each. */
  readonly off: readonly (readonly [string, string])[];
}

/** Eight hours a day, on days that are no weekend in a country. */
export function usualWeek(weekend: readonly number[] = [6, 7]): WorkCalendar['week'] {
  const day: readonly WorkSpan[] = [
    [8 * 60, 12 * 60],
    [13 * 60, 17 * 60],
  ];
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) => (weekend.includes(weekday) ? [] : day));
}

/**
 * Eight hours from Monday to Friday, where no calendar is known.
 * ```ts
 * const inBerlin = usualCalendar('Europe/Berlin');
 * ```
 */
export function usualCalendar(tz: string): WorkCalendar {
  return { tz, week: usualWeek(), off: [] };
}

function spansOn({ week, off }: WorkCalendar, day: string): readonly WorkSpan[] {
  return off.some(([first, last]) => first <= day && day <= last) ? [] : (week[weekdayOf(day) - 1] ?? []);
}

/** Whether there is working time on a day. */
export function isWorkingDay(calendar: WorkCalendar, day: string): boolean {
  return spansOn(calendar, day).length > 0;
}

/** The working time of a day in milliseconds: of a night in which clocks are set, as long as it really is. */
export function workingTimeOn(calendar: WorkCalendar, day: string): number {
  const spans = spansOn(calendar, day);
  if (spans.length > 0 && isClockChange(calendar.tz, day)) return lengthOf(instantsOn(calendar, day));
  return minutesOf(spans) * minuteMs;
}

/**
 * The working time between two instants in milliseconds, in the zone of the calendar. Its cost does not grow with the
 * days in between.
 * ```ts
 * export async function hoursThisWeek(env: Env, userId: number) {
 *   const [user] = await env.model('core.user').read([userId], ['work_calendar']);
 *   const [from, to] = [Date.parse('2026-11-16T00:00Z'), Date.parse('2026-11-23T00:00Z')];
 *   return workingTime(user?.work_calendar as WorkCalendar, from, to) / 3_600_000;
 * }
 * ```
 */
export function workingTime(calendar: WorkCalendar, from: number, to: number): number {
  if (to <= from) return 0;
  const [first, last] = [dayAt(calendar, from), dayAt(calendar, to)];
  const within = (day: string) => lengthOf(clipped(instantsOn(calendar, day), from, to));
  if (first === last) return within(first);
  return within(first) + wholeDays(calendar, addDays(first, 1), last) + within(last);
}

/** The first working moment at or after an instant; the instant itself if there is none for years. */
export function nextWorkingTime(calendar: WorkCalendar, at: number): number {
  for (let day = dayAt(calendar, at), n = 0; n < mostDays; day = addDays(day, 1), n++) {
    const next = clipped(instantsOn(calendar, day), at, Number.POSITIVE_INFINITY)[0];
    if (next) return next[0];
  }
  return at;
}

/** When so much working time has passed. It is the end of a day, not the start of the next one. */
export function afterWorkingTime(calendar: WorkCalendar, from: number, length: number): number {
  let left = length;
  for (let day = dayAt(calendar, from), n = 0; left > 0 && n < mostDays; day = addDays(day, 1), n++) {
    for (const [start, end] of clipped(instantsOn(calendar, day), from, Number.POSITIVE_INFINITY)) {
      if (left <= end - start) return start + left;
      left -= end - start;
    }
  }
  return from + left;
}

/** Far enough for a plan; a calendar without any work ends here. */
const mostDays = 4_000;

type Instants = readonly (readonly [number, number])[];

/** The day of an instant in the zone of a calendar. */
export function dayAt({ tz }: Pick<WorkCalendar, 'tz'>, instant: number): string {
  return toDay(toLocal(instant, tz));
}

function instantsOn(calendar: WorkCalendar, day: string): Instants {
  const spans = spansOn(calendar, day);
  if (spans.length === 0) return [];
  const { tz } = calendar;
  const midnight = startInUtc(day);
  if (isClockChange(tz, day)) {
    const at = (minutes: number) => fromLocal(midnight + minutes * minuteMs, tz);
    return spans.map(([from, to]) => [at(from), at(to)] as const).filter(([from, to]) => from < to);
  }
  const offset = midnight - startOfDay(day, tz);
  return spans.map(([from, to]) => [midnight + from * minuteMs - offset, midnight + to * minuteMs - offset] as const);
}

function clipped(spans: Instants, from: number, to: number): Instants {
  return spans
    .map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const)
    .filter(([start, end]) => start < end);
}

function lengthOf(spans: Instants): number {
  return spans.reduce((sum, [start, end]) => sum + end - start, 0);
}

function minutesOf(spans: readonly WorkSpan[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Of the days from the first to the one before the last. */
function wholeDays(calendar: WorkCalendar, first: string, last: string): number {
  if (first >= last) return 0;
  let sum = byWeekdays(calendar, first, last);
  for (const [from, to] of apart(calendar)) {
    const [start, end] = [from > first ? from : first, to < last ? to : last];
    if (start < end) sum -= byWeekdays(calendar, start, end);
  }
  for (const day of clockChanges(calendar.tz, first, last)) {
    sum += workingTimeOn(calendar, day) - minutesOf(spansOn(calendar, day)) * minuteMs;
  }
  return sum;
}

function byWeekdays({ week }: WorkCalendar, first: string, last: string): number {
  const days = daysBetween(first, last);
  const minutes = week.map(minutesOf);
  let sum = Math.floor(days / 7) * minutes.reduce((all, own) => all + own, 0);
  const weekday = weekdayOf(first) - 1;
  for (let rest = 0; rest < days % 7; rest++) sum += minutes[(weekday + rest) % 7] ?? 0;
  return sum * minuteMs;
}

/** Days off in order, joined where they overlap or follow each other: a leave over a holiday counts once. */
export function joinDays(off: WorkCalendar['off']): WorkCalendar['off'] {
  const found: [string, string][] = [];
  for (const [first, last] of [...off].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = found.at(-1);
    if (!before || addDays(before[1], 1) < first) found.push([first, last]);
    else if (before[1] < last) before[1] = last;
  }
  return found;
}

const joined = new WeakMap<WorkCalendar['off'], WorkCalendar['off']>();

/** The days off without overlaps, each up to the day after its last. */
function apart({ off }: WorkCalendar): WorkCalendar['off'] {
  const known = joined.get(off);
  if (known) return known;
  const found = joinDays(off).map(([first, last]) => [first, addDays(last, 1)] as const);
  joined.set(off, found);
  return found;
}

const [firstYear, lastYear] = [1970, 2100];

/** Days on which clocks are set, from the first to the one before the last. */
function clockChanges(tz: string, first: string, last: string): readonly string[] {
  if (tz === 'UTC') return [];
  const found: string[] = [];
  const until = Math.min(lastYear, Number(last.slice(0, 4)));
  for (let year = Math.max(firstYear, Number(first.slice(0, 4))); year <= until; year++) {
    for (const day of changesOf(tz, year)) if (day >= first && day < last) found.push(day);
  }
  return found;
}

function isClockChange(tz: string, day: string): boolean {
  const year = Number(day.slice(0, 4));
  return tz !== 'UTC' && year >= firstYear && year <= lastYear && changesOf(tz, year).includes(day);
}

const yearsOfZones = lruCache<string, readonly string[]>(2_000);

/** Clocks keep a setting for more than a week: where two weeks differ, the day is looked for between them. */
function changesOf(tz: string, year: number): readonly string[] {
  const key = `${tz} ${year}`;
  const known = yearsOfZones.get(key);
  if (known) return known;
  const offsetOn = (day: string) => startInUtc(day) - startOfDay(day, tz);
  const found: string[] = [];
  const next = `${String(year + 1).padStart(4, '0')}-01-01`;
  let from = `${String(year).padStart(4, '0')}-01-01`;
  let offset = offsetOn(from);
  while (from < next) {
    const to = addDays(from, 7) < next ? addDays(from, 7) : next;
    const after = offsetOn(to);
    if (after !== offset) {
      let day = from;
      while (offsetOn(addDays(day, 1)) === offset) day = addDays(day, 1);
      found.push(day);
    }
    [from, offset] = [to, after];
  }
  yearsOfZones.set(key, found);
  return found;
}

interface Work {
  /** Instants. */
  readonly start: number;
  readonly end: number;
  /** Planned hours of one person; null where nobody planned any. */
  readonly hours: number | null;
}

/**
 * The hours of an entry on each day of a person, by the working time that it has there; over all its time where it is
 * outside of working time. Without hours it takes its working time, else as long as it lasts, up to a usual day.
 */
export function spreadHours(
  calendar: WorkCalendar,
  { start, end, hours }: Work,
  [first, last]: readonly [string, string],
): ReadonlyMap<string, number> {
  const total = workingTime(calendar, start, end);
  const days = new Map<string, number>();
  const from = dayAt(calendar, start);
  const until = dayAt(calendar, end - 1);
  for (let day = from > first ? from : first; day <= until && day < last; day = addDays(day, 1)) {
    const own = total > 0 ? workingOn(calendar, day, start, end) : elapsedOn(calendar, day, start, end);
    if (own === 0) continue;
    const given = total > 0 ? own / hourMs : Math.min(usualHours, own / hourMs);
    days.set(day, hours === null ? given : (hours * own) / (total || end - start));
  }
  return days;
}

const hourMs = 60 * minuteMs;
const usualHours = 8;

function workingOn(calendar: WorkCalendar, day: string, start: number, end: number): number {
  const isInside = day > dayAt(calendar, start) && day < dayAt(calendar, end - 1);
  return isInside ? workingTimeOn(calendar, day) : lengthOf(clipped(instantsOn(calendar, day), start, end));
}

function elapsedOn({ tz }: WorkCalendar, day: string, start: number, end: number): number {
  return Math.min(end, startOfDay(addDays(day, 1), tz)) - Math.max(start, startOfDay(day, tz));
}
