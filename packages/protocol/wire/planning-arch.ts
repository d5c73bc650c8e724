import type { WorkCalendar } from '../analysis/work-calendar.ts';
import type { DayRange } from '../calendar.ts';
import type { PersonLoad } from './rpc.ts';

export const calendarModes = ['month', 'week', 'day', 'agenda'] as const;
/** A scale of a calendar. */
export type CalendarMode = (typeof calendarModes)[number];
export const ganttScales = ['day', 'week', 'month', 'quarter', 'year'] as const;
/** A scale of a gantt. */
export type GanttScale = (typeof ganttScales)[number];
/** What a gantt view needs. */
export interface GanttArch extends DayRange {
  readonly start: string;
  readonly stop: string;
  readonly groupBy: readonly string[];
  readonly scale: GanttScale;
  readonly progress?: string;
  readonly color?: string;
  readonly dependencies?: string;
  /** Who works on it, and for how many hours: what the load is made from. */
  readonly people?: string;
  readonly hours?: string;
  /** When the company works, and its people who work at other times. */
  readonly workTime: { readonly company: WorkCalendar; readonly people: Readonly<Record<number, WorkCalendar>> };
  /** Records of the search without a date, which are still to be planned: the first of them, and how many there are. */
  readonly unplanned?: {
    readonly total: number;
    readonly records: readonly {
      readonly id: number;
      readonly name: string;
      readonly hours: number | null;
      /** Who works on it, where one person does. */
      readonly person: number | null;
    }[];
  };
  /** From `from` to `to`; of a year by months, which their first day stands for. */
  readonly load: readonly PersonLoad[];
  /** Records that cannot be late, of all that are joined by dependencies, where they were asked for; absent where there are too many. */
  readonly critical?: readonly number[];
  readonly title: string;
  readonly date: string;
}
