import { addDays, weekdayOf } from '@kontor/protocol';
import { locale } from './messages.ts';

interface WeekLocale extends Intl.Locale {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** 1 is Monday, 7 Sunday, as ISO counts; Monday where the browser does not know. */
export function firstWeekday(): number {
  const here = new Intl.Locale(locale()) as WeekLocale;
  return (here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1;
}

/** Names of the seven days from the first on: `Mon`, `Tue`, … */
export function weekdayNames(style: 'short' | 'long' = 'short'): readonly string[] {
  const name = new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' });
  // The 5th of January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, index) => name.format(new Date(Date.UTC(1970, 0, 4 + firstWeekday() + index))));
}

/** The day on which the week of a date begins. */
export function weekStart(iso: string): string {
  return addDays(iso, -((weekdayOf(iso) - firstWeekday() + 7) % 7));
}
