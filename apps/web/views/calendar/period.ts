import { addDays, addMonths, type CalendarMode, daysBetween } from '@kontor/protocol';
import { mark } from '../../i18n/messages.ts';
import { weekStart } from '../../ui/month-grid.tsx';
import { daysText, dayText } from '../planning/time-words.ts';

/** The days that a mode shows around one of them; `to` is not included. */
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

const agendaDays = 28;

export function periodOf(mode: CalendarMode, date: string): Period {
  const [from, to] = range(mode, date);
  const days = Array.from({ length: daysBetween(from, to) }, (_, index) => addDays(from, index));
  return { mode, date, from, to, days, title: titleOf(mode, date, from, to) };
}

function range(mode: CalendarMode, date: string): readonly [string, string] {
  if (mode === 'day') return [date, addDays(date, 1)];
  if (mode === 'agenda') return [date, addDays(date, agendaDays)];
  if (mode === 'week') return [weekStart(date), addDays(weekStart(date), 7)];
  const first = `${date.slice(0, 7)}-01`;
  const last = addDays(addMonths(first, 1), -1);
  return [weekStart(first), addDays(weekStart(last), 7)];
}

function titleOf(mode: CalendarMode, date: string, from: string, to: string): string {
  return mode === 'month' ? dayText(date, 'month') : daysText(from, addDays(to, -1));
}

/** The day that the period before or after is opened on. */
export function stepDate({ mode, date }: Pick<Period, 'mode' | 'date'>, by: 1 | -1): string {
  if (mode === 'month') return addMonths(date, by);
  return addDays(date, by * (mode === 'day' ? 1 : 7));
}
