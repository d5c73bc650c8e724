import type { RefObject } from 'react';
import {
  dayMs,
  type Entry,
  type FreeHeld,
  fieldType,
  floorDay,
  hourMs,
  isLong,
  type KeyStep,
  minuteMs,
  type Point,
  type Span,
  type SpanFields,
  spanText,
  startOf,
  t,
  useFreeDrag,
} from '../../door/index.ts';
import type { TimeGrip } from './calendar-context.ts';

interface CalendarDrag {
  readonly root: RefObject<HTMLElement | null>;
  readonly fields: SpanFields;
  readonly entries: readonly Entry[];
  readonly canCreate: boolean;
  /** The keyboard cursor, as a local time. */
  readonly cursor: number;
  drop(grip: TimeGrip, span: Span): void;
}

const step = 15 * minuteMs;

/**
 * Moves entries between days and hours, resizes them at their end, and creates one by dragging over empty time.
 * Elements are marked with attributes: `data-hours` on a column of hours and `data-days` on a day without hours, each
 * with its date.
 */
export function useCalendarDrag(drag: CalendarDrag): FreeHeld<TimeGrip, Span> | null {
  const { root, fields, canCreate } = drag;
  return useFreeDrag<TimeGrip, Span>({
    root,
    isEnabled: fields.canMove || canCreate,
    gripOf: (target, point) => gripOf(drag, target, point),
    placeAt: (grip, point) => placeAt(root.current, fields, grip, point),
    placeByKey: (keyed) => placeByKey(fields, keyed),
    tell: spanText,
    drop: drag.drop,
  });
}

const controls = 'button, input, select, textarea, [popover]';

function gripOf(drag: CalendarDrag, target: Element, point: Point | null): TimeGrip | null {
  const { root, fields, entries, canCreate, cursor } = drag;
  const element = target.closest<HTMLElement>('[data-entry]');
  if (element) {
    const entry = entries.find(({ id }) => id === Number(element.dataset.entry));
    if (!entry || !fields.canMove) return null;
    const isEnd = target.matches('[data-end]');
    const spot = point && spotAt(root.current, point);
    const at = spot?.local ?? entry.start;
    const isOnDays = spot?.isOnDays ?? isLong(entry);
    const item = String(entry.id);
    return { item, name: entry.title, isHandle: isEnd, part: isEnd ? 'end' : 'whole', entry, at, isOnDays };
  }
  const isCursor = target.matches('[data-cursor]');
  if (!canCreate || (point ? target.closest(controls) !== null && !isCursor : !isCursor)) return null;
  const spot = point ? spotAt(root.current, point) : null;
  if (point && !spot) return null;
  const isOnDays = spot?.isOnDays ?? target.matches('[data-days]');
  const at = spot ? Math.floor(spot.local / (2 * step)) * 2 * step : cursor;
  return { item: '', name: t('New'), isHandle: false, part: 'new', entry: null, at, isOnDays };
}

interface Spot {
  readonly local: number;
  readonly isOnDays: boolean;
}

/** The time at a point. Columns can have different widths, and run from right to left. */
function spotAt(root: HTMLElement | null, { x, y }: Point): Spot | null {
  const cells = [...(root?.querySelectorAll<HTMLElement>('[data-days], [data-hours]') ?? [])];
  const isAcross = (box: DOMRect) => x >= box.left && x < box.right;
  // Headers cover the hours that scroll below them.
  const found =
    cells.find((cell) => cell.dataset.days !== undefined && isInside(cell, x, y)) ??
    cells.find((cell) => cell.dataset.hours !== undefined && isAcross(cell.getBoundingClientRect()));
  if (!found) return null;
  if (found.dataset.days !== undefined) return { local: startOf(found.dataset.days), isOnDays: true };
  const { top, height } = found.getBoundingClientRect();
  const share = Math.min(Math.max((y - top) / height, 0), 1);
  return { local: startOf(found.dataset.hours as string) + share * dayMs, isOnDays: false };
}

function isInside(element: HTMLElement, x: number, y: number): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x < right && y >= top && y < bottom;
}

function placeAt(root: HTMLElement | null, fields: SpanFields, grip: TimeGrip, point: Point): Span | null {
  const spot = spotAt(root, point);
  if (!spot) return null;
  const { entry, part, at } = grip;
  if (part === 'new') return drawn(fields, at, spot, grip.isOnDays);
  if (!entry) return null;
  const isByDay = spot.isOnDays || isLong(entry);
  if (part === 'end') {
    if (isByDay)
      return withEnd(entry, floorDay(spot.local) + (entry.isAllDay ? dayMs : entry.end - floorDay(entry.end)));
    return withEnd(entry, snap(spot.local));
  }
  // Between hours and whole days, if the fields support both.
  const isTimed = fieldType(fields.start.type).isInstant;
  if (isTimed && !spot.isOnDays && isLong(entry) && entry.isAllDay)
    return { start: snap(spot.local), end: snap(spot.local) + hourMs, isAllDay: false };
  if (isTimed && spot.isOnDays && !grip.isOnDays && fields.stop)
    return { start: spot.local, end: spot.local + dayMs, isAllDay: true };
  const shift = isByDay ? floorDay(spot.local) - floorDay(at) : snap(entry.start + spot.local - at) - entry.start;
  return { start: entry.start + shift, end: entry.end + shift, isAllDay: entry.isAllDay };
}

function drawn(fields: SpanFields, at: number, spot: Spot, isOnDays: boolean): Span {
  if (isOnDays) {
    const [first, last] = [Math.min(floorDay(at), floorDay(spot.local)), Math.max(floorDay(at), floorDay(spot.local))];
    return { start: first, end: (fields.stop ? last : first) + dayMs, isAllDay: true };
  }
  const to = snap(spot.local);
  const [start, end] = to < at ? [to, at + 2 * step] : [at, to];
  return { start, end: Math.max(end, start + 2 * step), isAllDay: false };
}

function withEnd(entry: Entry, end: number): Span {
  const least = entry.isAllDay ? dayMs : step;
  return { start: entry.start, end: Math.max(entry.start + least, end), isAllDay: entry.isAllDay };
}

function snap(local: number): number {
  return Math.round(local / step) * step;
}

/** Left and right move by days, up and down by weeks or quarter hours; with Alt only the end moves. */
function placeByKey(fields: SpanFields, { grip, from, key, isLength }: KeyStep<TimeGrip, Span>): Span | null {
  const base = from ?? grip.entry ?? firstSpan(grip);
  const isByDay = grip.isOnDays || base.isAllDay;
  const along = { ArrowLeft: -dayMs, ArrowRight: dayMs }[key];
  const down = isByDay ? 7 * dayMs : grip.part === 'new' ? 2 * step : step;
  const shift = along ?? { ArrowUp: -down, ArrowDown: down }[key];
  if (shift === undefined) return null;
  const isEnd = isLength || grip.part === 'new';
  if (isEnd && (fields.stop === null || (grip.entry && !fields.canResize))) return null;
  if (!isEnd) return { start: base.start + shift, end: base.end + shift, isAllDay: base.isAllDay };
  const least = base.isAllDay ? dayMs : step;
  return { start: base.start, end: Math.max(base.start + least, base.end + shift), isAllDay: base.isAllDay };
}

/** An hour, or the day, starting at the cursor. */
export function firstSpan({ at, isOnDays }: Pick<TimeGrip, 'at' | 'isOnDays'>): Span {
  return isOnDays
    ? { start: floorDay(at), end: floorDay(at) + dayMs, isAllDay: true }
    : { start: at, end: at + hourMs, isAllDay: false };
}
