import { dateIn, fromLocal, toLocal } from '@kontor/addon';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The time of a meeting. */
export interface Times {
  readonly start: string;
  readonly stop: string;
  readonly all_day: boolean;
  /** The time zone of a series. */
  readonly tz: string;
}

export const timeFields = ['start', 'stop', 'all_day', 'tz'] as const;

/** Whole days are dates, the same for readers in every zone: they are stored as days of UTC, from midnight to midnight. */
export function clockOf({ all_day: isWhole, tz }: Pick<Times, 'all_day' | 'tz'>): string {
  return isWhole ? 'UTC' : tz;
}

/** The first day of a meeting. */
export function firstDay(times: Pick<Times, 'start' | 'all_day' | 'tz'>): string {
  return dateIn(clockOf(times), times.start);
}

/** The instant at which it starts; whole days start at midnight in the zone of the meeting. */
export function beginOf({ start, all_day: isWhole, tz }: Pick<Times, 'start' | 'all_day' | 'tz'>): number {
  return isWhole ? fromLocal(Date.parse(start), tz) : Date.parse(start);
}

type Span = Pick<Times, 'start' | 'stop'>;

/** The days of given times. Times from midnight to midnight in UTC are days already. */
export function toDays({ start, stop }: Span, tz: string): Span {
  const [from, to] = [Date.parse(start), Date.parse(stop)];
  if (areDays(from, to)) return { start, stop };
  const first = Math.floor(toLocal(from, tz) / dayMs) * dayMs;
  const after = Math.max(first + dayMs, Math.ceil(toLocal(to, tz) / dayMs) * dayMs);
  return { start: new Date(first).toISOString(), stop: new Date(after).toISOString() };
}

function areDays(from: number, to: number): boolean {
  return from % dayMs === 0 && to % dayMs === 0 && from < to;
}

/** An hour in the morning of the first day; for several days until that hour of the last. Other times stay. */
export function toHours({ start, stop }: Span, tz: string): Span {
  if (!areDays(Date.parse(start), Date.parse(stop))) return { start, stop };
  const [first, last] = [Date.parse(start), Date.parse(stop) - dayMs];
  const at = (day: number, hour: number) => new Date(fromLocal(day + hour * hourMs, tz)).toISOString();
  return { start: at(first, 9), stop: at(Math.max(first, last), 10) };
}

type Given = { readonly [Name in keyof Times]?: Times[Name] | null };

/**
 * Whole days begin and end at midnight, whatever times are given. A meeting that is no longer whole-day gets hours, and
 * if only its start is moved, it keeps its duration.
 */
export function normaliseTimes(
  { start, stop, all_day: isWhole, tz }: Given,
  { before, given }: { readonly before: Given | null; given(name: keyof Times): boolean },
): Partial<Span> | undefined {
  if (!start || !tz) return undefined;
  const end = lengthOf(before) !== null && given('start') && !given('stop') ? moved(start, lengthOf(before)) : stop;
  if (isWhole) return toDays({ start, stop: end ?? start }, tz);
  if (given('all_day') && !given('start') && !given('stop') && end) return toHours({ start, stop: end }, tz);
  return end && end !== stop ? { stop: end } : undefined;
}

function lengthOf(times: Given | null): number | null {
  return times?.start && times.stop ? Date.parse(times.stop) - Date.parse(times.start) : null;
}

function moved(start: string, length: number | null): string {
  return new Date(Date.parse(start) + (length ?? 0)).toISOString();
}
