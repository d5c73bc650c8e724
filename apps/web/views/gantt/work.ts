import {
  afterWorkingTime,
  dayAt,
  dayMs,
  dayOf,
  type Entry,
  floorDay,
  fromLocal,
  type GanttArch,
  hourMs,
  isWorkingDay,
  nextWorkingTime,
  onWorkTime,
  type RecordValues,
  type Span,
  timeZone,
  toLocal,
  type WorkCalendar,
  workingTime,
  workingTimeOn,
} from '../../door/index.ts';
import { idsIn } from './dependencies.ts';

/** When a person works. */
export function calendarOf({ workTime }: GanttArch, person: number | null): WorkCalendar {
  return (person === null ? null : workTime.people[person]) ?? workTime.company;
}

/** When an entry can be worked on: as its assignee works, as the company does if it has several or none. */
function calendarFor(gantt: GanttArch, record: RecordValues): WorkCalendar {
  const people = gantt.people === undefined ? [] : idsIn(record, gantt.people);
  return calendarOf(gantt, people.length === 1 ? (people[0] ?? null) : null);
}

interface Clock {
  readonly calendar: WorkCalendar;
  toInstant(local: number): number;
  /** The span of a place, in local times; whole days stay whole. */
  toSpan(place: Pick<Span, 'start' | 'end'>): Span;
}

/** Working time is counted between instants; whole days are the same days in every zone. */
function clockFor(calendar: WorkCalendar, isAllDay: boolean): Clock {
  if (isAllDay) {
    const toSpan = ({ start, end }: Pick<Span, 'start' | 'end'>) => {
      const first = floorDay(start);
      return { start: first, end: Math.max(first, floorDay(end - 1)) + dayMs, isAllDay };
    };
    return { calendar: { ...calendar, tz: 'UTC' }, toInstant: (local) => local, toSpan };
  }
  const tz = timeZone();
  const toSpan = ({ start, end }: Pick<Span, 'start' | 'end'>) => ({
    ...{ start: toLocal(start, tz), end: toLocal(end, tz), isAllDay },
  });
  return { calendar, toInstant: (local) => fromLocal(local, tz), toSpan };
}

const usualDay = 8 * hourMs;

/** So many hours from the first working moment at or after a local time; a day if nobody says how many. */
export function planFrom(calendar: WorkCalendar, from: number, hours: number | null, isAllDay: boolean): Span {
  const { calendar: own, toInstant, toSpan } = clockFor(calendar, isAllDay);
  const start = nextWorkingTime(own, toInstant(from));
  const length = hours ? hours * hourMs : workingTimeOn(own, dayAt(own, start)) || usualDay;
  return toSpan({ start, end: afterWorkingTime(own, start, length) });
}

/** The same working time from the first working moment at or after a local time. */
function placeFrom({ calendar, toInstant, toSpan }: Clock, { start, end }: Span, from: number): Span {
  return toSpan(onWorkTime(calendar, { start: toInstant(start), end: toInstant(end) }, toInstant(from)));
}

/** Where a follower begins when something that it depends on ends later. */
export function followFrom(gantt: GanttArch, entry: Entry, from: number): Span {
  return placeFrom(clockFor(calendarFor(gantt, entry.record), entry.isAllDay), entry, from);
}

const mostDaysBack = 400;

/**
 * Where a moved entry lands: on the next working moment, going back on an earlier working day, with the same working
 * time. What was put outside of working time on purpose goes where it is dropped.
 */
export function landed(gantt: GanttArch, entry: Entry, span: Span, isBack: boolean): Span {
  const clock = clockFor(calendarFor(gantt, entry.record), entry.isAllDay);
  const { calendar, toInstant } = clock;
  const isOutside = workingTime(calendar, toInstant(entry.start), toInstant(entry.end)) === 0;
  if (span.start === entry.start || isOutside) return span;
  let from = span.start;
  const isFree = () => !isWorkingDay(calendar, dayAt(calendar, toInstant(from)));
  for (let n = 0; isBack && isFree() && n < mostDaysBack; n++) from -= dayMs;
  const place = placeFrom(clock, entry, from);
  return entry.hasEnd ? place : { ...place, end: place.start + entry.end - entry.start };
}

/** Days between two local times on which the company does not work, joined where they follow each other. */
export function freeDays({ workTime }: GanttArch, start: number, end: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let day = floorDay(start); day < end; day += dayMs) {
    if (isWorkingDay(workTime.company, dayOf(day))) continue;
    const before = found.at(-1);
    if (before?.[1] === day) before[1] = day + dayMs;
    else found.push([day, day + dayMs]);
  }
  return found;
}
