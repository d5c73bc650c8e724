import {
  addDays,
  addMonths,
  type DayRange,
  dayMs,
  dayText,
  firstWeekday,
  type GanttScale,
  ganttDays,
  hourMs,
  hourText,
  mark,
  minuteMs,
  shortDaysText,
  startOf,
  t,
  weekNumber,
  weekStart,
} from '../../door/index.ts';

export const scales: readonly { readonly value: GanttScale; readonly label: string; readonly keys: string }[] = [
  { value: 'day', label: mark('Day'), keys: 'D' },
  { value: 'week', label: mark('Week'), keys: 'W' },
  { value: 'month', label: mark('Month'), keys: 'M' },
  { value: 'quarter', label: mark('Quarter'), keys: 'Q' },
  { value: 'year', label: mark('Year'), keys: 'Y' },
];

/** A segment of the axis, between two local times. */
export interface Tick {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** A secondary label, such as the week number. */
  readonly hint?: string;
}

/** The visible range, in local times. */
export interface TimeAxis {
  readonly scale: GanttScale;
  readonly date: string;
  readonly days: DayRange;
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly major: readonly Tick[];
  readonly minor: readonly Tick[];
  /** The step of a drag and of an arrow key. */
  readonly snap: number;
  readonly step: number;
}

export function timeAxis(scale: GanttScale, date: string): TimeAxis {
  const { from, to } = ganttDays(scale, date, firstWeekday());
  const [start, end] = [startOf(from), startOf(to)];
  const [snap, step] = scale === 'day' ? [15 * minuteMs, hourMs] : scale === 'week' ? [hourMs, dayMs] : [dayMs, dayMs];
  const title = scale === 'quarter' || scale === 'year' ? monthsText(from, to) : shortDaysText(from, addDays(to, -1));
  return { scale, date, days: { from, to }, start, end, title, ...ticks(scale, from, to), snap, step };
}

function monthsText(from: string, to: string): string {
  const last = addDays(to, -1);
  return from.slice(5, 7) === '01' && last.slice(5, 7) === '12'
    ? from.slice(0, 4)
    : `${dayText(from, 'monthShort')} – ${dayText(last, 'month')}`;
}

function ticks(scale: GanttScale, from: string, to: string): Pick<TimeAxis, 'major' | 'minor'> {
  switch (scale) {
    case 'day':
      return { major: split(from, to, nextDay, longDay), minor: hoursOf(from) };
    case 'week':
      return { major: split(from, to, nextWeek, weekOf), minor: split(from, to, nextDay, weekday) };
    case 'month':
      return { major: split(from, to, nextWeek, weekOf), minor: split(from, to, nextDay, dayNumber) };
    case 'quarter':
      return { major: split(from, to, nextMonth, monthOf), minor: split(from, to, nextWeek, dayNumber) };
    case 'year':
      return { major: split(from, to, nextQuarter, quarterOf), minor: split(from, to, nextMonth, shortMonth) };
  }
}

type Words = (day: string) => Pick<Tick, 'label' | 'hint'>;
const nextDay = (day: string) => addDays(day, 1);
const nextWeek = (day: string) => addDays(weekStart(day), 7);
const nextMonth = (day: string) => addMonths(`${day.slice(0, 7)}-01`, 1);
const nextQuarter = (day: string) => addMonths(`${day.slice(0, 7)}-01`, 3 - ((Number(day.slice(5, 7)) - 1) % 3));
const longDay: Words = (day) => ({ label: dayText(day, 'long') });
const weekOf: Words = (day) => ({ label: dayText(day, 'short'), hint: t('W {n}', { n: weekNumber(addDays(day, 3)) }) });
const weekday: Words = (day) => ({ label: `${dayText(day, 'weekday')} ${dayText(day, 'day')}` });
const dayNumber: Words = (day) => ({ label: dayText(day, 'day') });
const monthOf: Words = (day) => ({ label: dayText(day, 'month') });
const shortMonth: Words = (day) => ({ label: dayText(day, 'monthShort') });
const quarterOf: Words = (day) => ({ label: `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}` });

function split(from: string, to: string, next: (day: string) => string, words: Words): readonly Tick[] {
  const found: Tick[] = [];
  for (let day = from; day < to; ) {
    const after = next(day) < to ? next(day) : to;
    found.push({ start: startOf(day), end: startOf(after), ...words(day) });
    day = after;
  }
  return found;
}

function hoursOf(day: string): readonly Tick[] {
  const start = startOf(day);
  return Array.from({ length: 24 }, (_, hour) => ({
    start: start + hour * hourMs,
    end: start + (hour + 1) * hourMs,
    label: hourText(hour * hourMs),
  }));
}

/** The date for the previous or next period. */
export function stepAxis({ scale, date }: Pick<TimeAxis, 'scale' | 'date'>, by: 1 | -1): string {
  if (scale === 'day') return addDays(date, by);
  if (scale === 'week') return addDays(date, by * 7);
  return addMonths(date, by * { month: 1, quarter: 3, year: 12 }[scale]);
}

/** A time as a fraction of the axis: 0 at its start, 1 at its end. */
export function shareOf({ start, end }: TimeAxis, local: number): number {
  return (local - start) / (end - start);
}

/** Left edge and width of a span in percent of the axis, clipped at both ends. */
export function barPlace(
  axis: TimeAxis,
  span: { readonly start: number; readonly end: number },
): { from: number; width: number } {
  const from = Math.max(0, shareOf(axis, span.start));
  const to = Math.min(1, shareOf(axis, span.end));
  return { from: from * 100, width: Math.max(0, to - from) * 100 };
}
