import {
  type ArchField,
  dayMs,
  type Entry,
  floorDay,
  type GanttArch,
  hourMs,
  isWorkday,
  type Shade,
  shadesOf,
  startOf,
} from '../../door/index.ts';
import type { Tick, TimeAxis } from './time-axis.ts';

/** Hours of one person. */
export interface PersonHours extends Pick<Shade, 'key' | 'label'> {
  /** By the start of a day; of a whole month by that of its first. */
  readonly days: ReadonlyMap<number, number>;
}

interface LoadSpec {
  readonly gantt: GanttArch;
  readonly people: ArchField;
}

/** Hours of an entry on each of its working days, for each who works on it. */
function sharesOf(entry: Entry, { gantt, people }: LoadSpec): readonly (readonly [Shade, number, number])[] {
  const all: number[] = [];
  for (let day = floorDay(entry.start); day < Math.max(entry.end, entry.start + 1); day += dayMs) all.push(day);
  const working = all.filter(isWorkday);
  const days = working.length > 0 ? working : all;
  const persons = shadesOf(entry.record, people).filter(({ key }) => key !== '');
  const planned = gantt.hours === undefined ? Number.NaN : Number(entry.record[gantt.hours] ?? Number.NaN);
  const length = Math.min(gantt.dayHours, (entry.end - entry.start) / hourMs);
  const hours = Number.isFinite(planned) ? planned / days.length : length * persons.length;
  return persons.flatMap((person) => days.map((day) => [person, day, hours / persons.length] as const));
}

/** What the server added up, by the start of each day. */
export function loadOf({ load }: GanttArch): readonly PersonHours[] {
  return load.map(({ id, name, days }) => ({
    key: String(id),
    label: name,
    days: new Map(days.map(([day, hours]) => [startOf(day), hours])),
  }));
}

/** Entries that lie elsewhere than where the server counted them: moves that are being made or saved. */
export function movesSince(counted: readonly Entry[], shown: readonly Entry[]): readonly (readonly [Entry, Entry])[] {
  const byId = new Map(counted.map((entry) => [entry.id, entry]));
  return shown.flatMap((after) => {
    const before = byId.get(after.id);
    return before && (before.start !== after.start || before.end !== after.end) ? [[before, after] as const] : [];
  });
}

/** The load with an entry in another place: only its own days are counted anew. */
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

/** Hours against those available, for each part of the axis; by day at least. */
export function loadCells({ days }: PersonHours, axis: TimeAxis, dayHours: number): readonly LoadCell[] {
  const ticks = axis.scale === 'day' ? axis.major : axis.minor;
  return ticks.map(({ start, end }) => {
    let [hours, available] = [0, 0];
    for (let day = floorDay(start); day < end; day += dayMs) {
      hours += days.get(day) ?? 0;
      if (isWorkday(day)) available += dayHours;
    }
    // Cents of hours that do not add up are no overload.
    return { start, end, hours, available, isOver: hours > available + 0.05 };
  });
}
