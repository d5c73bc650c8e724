import {
  addDays,
  addMonths,
  type CalendarMode,
  calendarDays,
  daysBetween,
  daysText,
  dayText,
  firstWeekday,
  mark,
} from '../../door/index.ts';

/** The days that a mode shows around a date; `to` is exclusive. */
export interface Period {
  readonly mode: CalendarMode;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly days: readonly string[];
  readonly title: string;
}

export const modes: readonly { readonly value: CalendarMode; readonly label: string; readonly keys: string }[] = [
  { value: 'day', label: mark('Day'), keys: 'D' },
  { value: 'week', label: mark('Week'), keys: 'W' },
  { value: 'month', label: mark('Month'), keys: 'M' },
  { value: 'agenda', label: mark('Agenda'), keys: 'A' },
];

export function periodOf(mode: CalendarMode, date: string): Period {
  const { from, to } = calendarDays(mode, date, firstWeekday());
  const days = Array.from({ length: daysBetween(from, to) }, (_, index) => addDays(from, index));
  return { mode, date, from, to, days, title: titleOf(mode, date, from, to) };
}

function titleOf(mode: CalendarMode, date: string, from: string, to: string): string {
  return mode === 'month' ? dayText(date, 'month') : daysText(from, addDays(to, -1));
}

/** The date for the previous or next period. */
export function stepDate({ mode, date }: Pick<Period, 'mode' | 'date'>, by: 1 | -1): string {
  if (mode === 'month') return addMonths(date, by);
  return addDays(date, by * (mode === 'day' ? 1 : 7));
}
