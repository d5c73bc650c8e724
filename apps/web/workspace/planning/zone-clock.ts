import { dateIn, fromLocal, parseInstant, startInUtc, toLocal } from '@kontor/protocol';
import { timeZone } from '../../i18n/dates.ts';

/** A minute in milliseconds. */
export const minuteMs = 60_000;
/** An hour in milliseconds. */
export const hourMs = 3_600_000;
/** A day in milliseconds. */
export const dayMs = 86_400_000;

/**
 * Wall-clock times in the user's time zone. All positions in a calendar or a gantt are such *local times* (see
 * `clock.ts` of the protocol); instants are only read and saved.
 */
const offsets = new Map<string, number | null>();

/**
 * Looking up the offset of every value would take longer than rendering them, so it is cached: on most days the offset
 * is constant.
 */
export function localOf(instant: number, tz = timeZone()): number {
  const day = Math.floor(instant / dayMs);
  const key = `${tz} ${day}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const [first, last] = [day * dayMs, (day + 1) * dayMs].map((at) => toLocal(at, tz) - at) as [number, number];
    offset = first === last ? first : null;
    if (offsets.size > 10_000) offsets.clear();
    offsets.set(key, offset);
  }
  return offset === null ? toLocal(instant, tz) : instant + offset;
}

export function localOfText(iso: string): number | null {
  const instant = parseInstant(iso);
  return instant === null ? null : localOf(instant);
}

/** A local time in wire format. */
export function isoOf(local: number): string {
  return new Date(fromLocal(local, timeZone())).toISOString();
}

export function now(): number {
  return localOf(Date.now());
}

/** The day of a local time. */
export function dayOf(local: number): string {
  return dateIn('UTC', new Date(local));
}

/** The start of a day, as a local time. */
export function startOf(day: string): number {
  return startInUtc(day);
}

/** The start of the day of a local time. */
export function floorDay(local: number): number {
  return Math.floor(local / dayMs) * dayMs;
}

/** A day on which clocks change: it has 23 or 25 hours. */
export interface OddDay {
  readonly hours: number;
  /** When clocks change, as local times; on a day of 25 hours, the hour that occurs twice. */
  readonly from: number;
  readonly to: number;
}

/** The clock change on a day; null for an ordinary day. */
export function oddDay(day: string, tz = timeZone()): OddDay | null {
  const start = startOf(day);
  const [first, last] = [fromLocal(start, tz), fromLocal(start + dayMs, tz)];
  const elapsed = last - first;
  if (elapsed === dayMs) return null;
  const step = 15 * minuteMs;
  for (let at = first; at < last; at += step) {
    const [here, next] = [toLocal(at, tz), toLocal(at + step, tz)];
    if (next - here === step) continue;
    const [from, to] = next > here ? [here + step, next] : [next, here + step];
    return { hours: elapsed / hourMs, from, to };
  }
  return null;
}
