import { dayMs, dayOf, daysBetween, type Entry, isLong, minuteMs, startOf } from '../../door/index.ts';

/** The part of an entry within one row of days. */
export interface Bar {
  readonly entry: Entry;
  /** The index of its first day in the row, and the number of days. */
  readonly first: number;
  readonly length: number;
  readonly lane: number;
  /** Whether it began before the row, and whether it continues after it. */
  readonly isContinued: boolean;
  readonly continues: boolean;
}

/** Stacks entries within a row of days; long ones first, then by start. */
export function packRow(entries: readonly Entry[], days: readonly string[]): readonly Bar[] {
  const from = days[0] as string;
  const [start, end] = [startOf(from), startOf(from) + days.length * dayMs];
  const inside = entries
    .filter((entry) => entry.start < end && Math.max(entry.end, entry.start + 1) > start)
    .sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || a.start - b.start || b.end - a.end || a.id - b.id);
  const lanes: number[][] = [];
  return inside.map((entry) => {
    const first = Math.max(0, daysBetween(from, dayOf(entry.start)));
    const last = Math.min(days.length - 1, daysBetween(from, dayOf(Math.max(entry.start, entry.end - 1))));
    const found = lanes.findIndex((taken) => taken.every((day) => day < first || day > last));
    const lane = found < 0 ? lanes.length : found;
    const taken = lanes[lane] ?? [];
    lanes[lane] = taken;
    for (let day = first; day <= last; day++) taken.push(day);
    const bar = { entry, first, length: last - first + 1, lane };
    return { ...bar, isContinued: entry.start < start, continues: entry.end > end };
  });
}

/** The part of an entry within one day, beside those it overlaps. */
export interface Block {
  readonly entry: Entry;
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
  readonly column: number;
  readonly columns: number;
}

/** An entry is always high enough for its first line. */
const leastMinutes = 28;
const dayMinutes = 1440;

/** Lays out the entries of one day between hours. Overlapping entries share the width. */
export function packDay(entries: readonly Entry[], day: string): readonly Block[] {
  const start = startOf(day);
  const minutes = (local: number) => Math.round((local - start) / minuteMs);
  const parts = entries
    .filter((entry) => !isLong(entry) && entry.start < start + dayMs && Math.max(entry.end, entry.start + 1) > start)
    .map((entry) => {
      const from = Math.min(Math.max(0, minutes(entry.start)), dayMinutes - leastMinutes);
      return { entry, from, to: Math.min(dayMinutes, Math.max(from + leastMinutes, minutes(entry.end))) };
    })
    .sort((a, b) => a.from - b.from || b.to - a.to || a.entry.id - b.entry.id);
  const blocks: Block[] = [];
  let group: { readonly entry: Entry; readonly from: number; readonly to: number; readonly column: number }[] = [];
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column)) + 1;
    blocks.push(...group.map((one) => ({ ...one, columns })));
    group = [];
  };
  for (const part of parts) {
    if (group.every(({ to }) => to <= part.from)) close();
    const busy = new Set(group.filter(({ to }) => to > part.from).map(({ column }) => column));
    let column = 0;
    while (busy.has(column)) column++;
    group.push({ ...part, column });
  }
  close();
  return blocks;
}
