import { type Arch, type ArchField, addDays, fieldType, parseInstant } from '@kontor/protocol';
import { nameOnScreen } from '../../data/records.ts';
import type { RecordValues, Values } from '../../data/rpc.ts';
import { dayMs, dayOf, floorDay, hourMs, isoOf, localOfText, startOf } from './zone-clock.ts';

/** The fields that hold the start and end of a record. */
export interface SpanFields {
  readonly start: ArchField;
  readonly stop: ArchField | null;
  readonly allDay: string | null;
  readonly canMove: boolean;
  readonly canResize: boolean;
}

/** A time span in local times; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Whole days. */
  readonly isAllDay: boolean;
}

/** A record with its time span. */
export interface Entry extends Span {
  readonly id: number;
  readonly title: string;
  /** False: it has no end, and is drawn just long enough to be readable. */
  readonly hasEnd: boolean;
  readonly record: RecordValues;
}

interface SpanNames {
  readonly start: string;
  readonly stop?: string;
  readonly allDay?: string;
}

/** The fields that hold start and end for a view, and which of them the user can change. */
export function spanFields(arch: Arch, names: SpanNames): SpanFields | null {
  const field = (name: string | undefined) => arch.fields.find((one) => one.name === name) ?? null;
  const [start, stop] = [field(names.start), field(names.stop)];
  if (!start) return null;
  const mayWrite = arch.rights.write;
  const canMove = mayWrite && !start.readonly && stop?.readonly !== true;
  return { start, stop, allDay: names.allDay ?? null, canMove, canResize: canMove && stop !== null };
}

/** Records as entries with a start and an end. */
export function toEntries(records: readonly RecordValues[], fields: SpanFields, title: string): readonly Entry[] {
  return records.flatMap((record) => toEntry(record, fields, title) ?? []);
}

function toEntry(record: RecordValues, { start, stop, allDay }: SpanFields, title: string): Entry | null {
  const isMarked = allDay !== null && record[allDay] === true;
  const from = readTime(start, record[start.name], isMarked);
  if (from === null) return null;
  const to = stop && readTime(stop, record[stop.name], isMarked);
  const isWhole = !hasTime(start) || isMarked;
  const hasEnd = to !== null && (to > from || (stop !== null && !hasTime(stop) && to >= from));
  const name = String(record[title] ?? nameOnScreen(record.display_name));
  const all = { id: record.id, title: name, hasEnd, record };
  if (isWhole) {
    const last = hasEnd ? endDay(to, stop as ArchField) : floorDay(from) + dayMs;
    return { ...all, start: floorDay(from), end: last, isAllDay: true };
  }
  const end = hasEnd
    ? stop !== null && !hasTime(stop)
      ? to + dayMs
      : to
    : Math.min(from + hourMs, floorDay(from) + dayMs);
  const isDays = allDay === null && hasEnd && floorDay(from) === from && floorDay(end) === end;
  return { ...all, start: from, end, isAllDay: isDays };
}

/** The last day is included; an end at midnight is the end of the previous day. */
function endDay(to: number, field: ArchField): number {
  return hasTime(field) && floorDay(to) === to ? to : floorDay(to) + dayMs;
}

/** All-day records have the same days in every time zone: their midnights are in UTC. */
function readTime(field: ArchField, value: unknown, isMarked: boolean): number | null {
  if (typeof value !== 'string' || value === '') return null;
  if (!hasTime(field)) return startOf(value.slice(0, 10));
  return isMarked ? parseInstant(value) : localOfText(value);
}

/** The values to write for a span. Across a clock change the duration is kept, unless the length was changed. */
export function spanValues(fields: SpanFields, span: Span, before: Entry | null): Values {
  const { start, stop, allDay } = fields;
  const isMarked = allDay !== null && span.isAllDay;
  const values: Record<string, unknown> = { [start.name]: writeTime(start, span.start, isMarked) };
  if (allDay !== null && (before === null || before.isAllDay !== span.isAllDay)) values[allDay] = span.isAllDay;
  const length = before && before.end - before.start;
  const isSameLength = length === span.end - span.start && before?.isAllDay === span.isAllDay;
  if (!stop || (before && !before.hasEnd && isSameLength)) return values;
  values[stop.name] = hasTime(stop) ? writeTime(stop, span.end, isMarked) : dayOf(span.end - 1);
  const [from, to] = [before?.record[start.name], before?.record[stop.name]].map((value) => Date.parse(String(value)));
  const isTimed = hasTime(start) && hasTime(stop) && !span.isAllDay;
  if (isTimed && isSameLength && length !== null && length < dayMs && from !== undefined && to !== undefined) {
    values[stop.name] = new Date(Date.parse(String(values[start.name])) + to - from).toISOString();
  }
  return values;
}

function writeTime(field: ArchField, local: number, isMarked: boolean): string {
  if (!hasTime(field)) return dayOf(local);
  return isMarked ? new Date(local).toISOString() : isoOf(local);
}

function hasTime({ type }: ArchField): boolean {
  return fieldType(type).isInstant;
}

/** The days that a span touches, within a range of days (`to` is exclusive). */
export function daysOf({ start, end }: Span, from: string, to: string): readonly string[] {
  const first = dayOf(start) < from ? from : dayOf(start);
  const last = dayOf(Math.max(start, end - 1));
  const days: string[] = [];
  for (let day = first; day <= last && day < to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Whether a span is drawn across days, not between hours. */
export function isLong({ start, end, isAllDay }: Span): boolean {
  return isAllDay || end - start >= dayMs;
}
