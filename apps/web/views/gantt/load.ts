import {
  type ArchField,
  dayMs,
  type Entry,
  floorDay,
  fromLocal,
  type GanttArch,
  type Shade,
  shadesOf,
  spreadHours,
  startOf,
  timeZone,
} from '../../door/index.ts';
import type { Tick, TimeAxis } from './time-axis.ts';
import { calendarOf } from './work.ts';

/** Hours of one person. */
export interface PersonHours extends Pick<Shade, 'key' | 'label'> {
  /** By the start of the day; for a whole month, by the start of its first day. */
  readonly days: ReadonlyMap<number, number>;
}

interface LoadSpec {
  readonly gantt: GanttArch;
  readonly people: ArchField;
}

/** The hours of an entry per day and assignee, as the server counts them. */
function sharesOf(entry: Entry, { gantt, people }: LoadSpec): readonly (readonly [Shade, number, number])[] {
  const persons = shadesOf(entry.record, people).filter(({ key }) => key !== '');
  const planned = gantt.hours === undefined ? Number.NaN : Number(entry.record[gantt.hours] ?? Number.NaN);
  const hours = Number.isFinite(planned) ? planned / persons.length : null;
  return persons.flatMap((person) => {
    const calendar = calendarOf(gantt, Number(person.key));
    const tz = entry.isAllDay ? calendar.tz : timeZone();
    const span = { start: fromLocal(entry.start, tz), end: fromLocal(entry.end, tz), hours };
    const days = spreadHours(calendar, span, [gantt.from, gantt.to]);
    return [...days].map(([day, spent]) => [person, startOf(day), spent] as const);
  });
}

/** The totals of the server, by the start of each day. */
export function loadOf({ load }: GanttArch): readonly PersonHours[] {
  return load.map(({ id, name, days }) => ({
    key: String(id),
    label: name,
    days: new Map(days.map(([day, hours]) => [startOf(day), hours])),
  }));
}

/** Entries whose position differs from the one the server counted: moves in progress or being saved. */
export function movesSince(counted: readonly Entry[], shown: readonly Entry[]): readonly (readonly [Entry, Entry])[] {
  const byId = new Map(counted.map((entry) => [entry.id, entry]));
  return shown.flatMap((after) => {
    const before = byId.get(after.id);
    return before && (before.start !== after.start || before.end !== after.end) ? [[before, after] as const] : [];
  });
}

/** The load after a move: only the days of that entry are recalculated. */
export function withMove(
  load: readonly PersonHours[],
  before: Entry,
  after: Entry,
  spec: LoadSpec,
): readonly PersonHours[] {
  const own = new Set(shadesOf(before.record, spec.people).map(({ key }) => key));
  const shares = [
    ...sharesOf(before, spec).map((share) => [share, -1] as const),
    ...sharesOf(after, spec).map((share) => [share, 1] as const),
  ];
  return load.map((person) => {
    if (!own.has(person.key)) return person;
    const days = new Map(person.days);
    for (const [[{ key }, day, hours], sign] of shares) {
      if (key === person.key) days.set(day, (days.get(day) ?? 0) + sign * hours);
    }
    return { ...person, days };
  });
}

export interface LoadCell extends Pick<Tick, 'start' | 'end'> {
  readonly hours: number;
  readonly available: number;
  readonly isOver: boolean;
}

/** Planned and available hours per axis segment, at least a day long. */
export function loadCells(
  { days }: PersonHours,
  axis: TimeAxis,
  hoursOn: (day: number) => number,
): readonly LoadCell[] {
  const ticks = axis.scale === 'day' ? axis.major : axis.minor;
  return ticks.map(({ start, end }) => {
    let [hours, available] = [0, 0];
    for (let day = floorDay(start); day < end; day += dayMs) {
      hours += days.get(day) ?? 0;
      available += hoursOn(day);
    }
    // Rounding differences are not an overload.
    return { start, end, hours, available, isOver: hours > available + 0.05 };
  });
}
