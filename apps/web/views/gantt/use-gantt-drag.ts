import type { RefObject } from 'react';
import {
  dayMs,
  type Entry,
  type FreeHeld,
  floorDay,
  type GanttArch,
  isRightToLeft,
  type KeyStep,
  minuteMs,
  type Point,
  type Span,
  type SpanFields,
  spanText,
  useFreeDrag,
} from '../../door/index.ts';
import type { BarGrip, BarPlace } from './gantt-context.ts';
import { type Lane, type LaneMove, type Lanes, laneMove, outside } from './lanes.ts';
import type { TimeAxis } from './time-axis.ts';
import { landed } from './work.ts';

interface GanttDrag {
  /** The rows; the track beside their names is `[data-track]`. */
  readonly root: RefObject<HTMLElement | null>;
  readonly axis: TimeAxis;
  readonly gantt: GanttArch;
  readonly fields: SpanFields;
  readonly entries: readonly Entry[];
  readonly canLink: boolean;
  readonly lanes: Lanes;
  drop(grip: BarGrip, place: BarPlace): void;
}

/**
 * Moves bars along the axis and between groups, resizes them at their ends, and creates a dependency by dragging from
 * the dot after a bar to another bar.
 */
export function useGanttDrag(drag: GanttDrag): FreeHeld<BarGrip, BarPlace> | null {
  const { root, fields, canLink } = drag;
  return useFreeDrag<BarGrip, BarPlace>({
    root,
    isEnabled: fields.canMove || canLink,
    gripOf: (target, point) => gripOf(drag, target, point),
    placeAt: (grip, point) => placeAt(drag, grip, point),
    placeByKey: (step) => placeByKey(drag, step),
    tell: ({ span, into }) => [spanText(span), ...(into ? [into.label] : [])].join(', '),
    drop: drag.drop,
  });
}

function gripOf(drag: GanttDrag, target: Element, point: Point | null): BarGrip | null {
  const { root, axis, fields, entries, canLink, lanes } = drag;
  const element = target.closest<HTMLElement>('[data-bar]');
  const entry = element && entries.find(({ id }) => id === Number(element.dataset.bar));
  if (!entry) return null;
  const named = target.closest<HTMLElement>('[data-part]')?.dataset.part as BarGrip['part'] | undefined;
  const part = named ?? 'whole';
  const isAllowed = part === 'link' ? canLink : part === 'whole' ? fields.canMove : fields.canResize;
  if (!isAllowed) return null;
  const at = point ? timeAt(root.current, axis, point) : entry.start;
  const lane = laneAt(lanes, element) ?? outside;
  return { item: String(entry.id), name: entry.title, isHandle: part !== 'whole', part, entry, at, lane };
}

/** The local time at a point of the track. */
function timeAt(root: HTMLElement | null, { start, end }: TimeAxis, { x }: Point): number {
  const box = root?.querySelector('[data-track]')?.getBoundingClientRect();
  if (!box || box.width === 0) return start;
  const share = (x - box.left) / box.width;
  return start + (isRightToLeft() ? 1 - share : share) * (end - start);
}

/** The current-time line is drawn over the rows, so it is skipped when looking for the drop target. */
function elementAt({ x, y }: Point): Element | null {
  return document.elementsFromPoint(x, y).find((one) => one.closest('[data-track]') === null) ?? null;
}

function laneAt({ byKey }: Lanes, element: Element | null): Lane | undefined {
  return byKey.get(element?.closest<HTMLElement>('[data-lane]')?.dataset.lane ?? '');
}

function placeAt({ root, axis, gantt, entries, lanes }: GanttDrag, grip: BarGrip, point: Point): BarPlace {
  const { entry, part, at } = grip;
  const here = { x: point.x, y: point.y };
  const under = elementAt(point);
  if (part === 'link') {
    const element = under?.closest<HTMLElement>('[data-row-id]');
    const target = entries.find(({ id }) => id === Number(element?.dataset.rowId)) ?? null;
    return { span: entry, target: target?.id === entry.id ? null : target, into: null, ...here };
  }
  const time = timeAt(root.current, axis, point);
  const span =
    part === 'whole'
      ? landed(gantt, entry, shifted(entry, snapped(entry.start, time - at, axis.snap)), time < at)
      : part === 'end'
        ? withEnd(entry, snapped(entry.end, time - entry.end, axis.snap) + entry.end)
        : withStart(entry, snapped(entry.start, time - entry.start, axis.snap) + entry.start);
  const lane = laneAt(lanes, under);
  const into = part === 'whole' && lane ? laneMove(entry, grip.lane, lane) : null;
  return { span, target: null, into, ...here };
}

/** Steps of whole days keep the time of day; smaller steps snap to the grid. */
function snapped(from: number, by: number, step: number): number {
  if (step >= dayMs) return Math.round(by / dayMs) * dayMs;
  return Math.round((from + by) / step) * step - from;
}

function shifted({ start, end, isAllDay }: Span, by: number): Span {
  return { start: start + by, end: end + by, isAllDay };
}

const leastLength = 15 * minuteMs;

function withEnd({ start, isAllDay }: Span, end: number): Span {
  return { start, end: Math.max(end, start + (isAllDay ? dayMs : leastLength)), isAllDay };
}

function withStart({ end, isAllDay }: Span, start: number): Span {
  return { start: Math.min(start, end - (isAllDay ? dayMs : leastLength)), end, isAllDay };
}

function placeByKey(
  { axis, gantt, fields, lanes }: GanttDrag,
  { grip, from, key, isLength }: KeyStep<BarGrip, BarPlace>,
): BarPlace | null {
  const kept = { target: null, x: 0, y: 0, into: from?.into ?? null };
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (down !== undefined) {
    const into = laneBeside(lanes, grip, kept.into, down);
    return into === undefined || isLength ? null : { ...kept, span: from?.span ?? spanOf(grip.entry), into };
  }
  const sign = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (sign === undefined || (isLength && !fields.canResize)) return null;
  const span = from?.span ?? grip.entry;
  const by = sign * axis.step;
  const next = isLength ? withEnd(span, span.end + by) : landed(gantt, grip.entry, shifted(span, by), by < 0);
  return { ...kept, span: spanOf(next) };
}

function spanOf({ start, end, isAllDay }: Span): Span {
  return { start, end, isAllDay };
}

/** The next group up or down that accepts the bar; null for its own group, undefined if there is none. */
function laneBeside(
  { inner }: Lanes,
  { entry, lane: own }: BarGrip,
  into: LaneMove | null,
  by: number,
): LaneMove | null | undefined {
  const now = inner.findIndex(({ key }) => key === (into?.lane ?? own).key);
  for (let at = now + by; now >= 0 && at >= 0 && at < inner.length; at += by) {
    const lane = inner[at] as Lane;
    if (lane.key === own.key) return null;
    const move = laneMove(entry, own, lane);
    if (move) return move;
  }
  return undefined;
}

/** How many days later the span begins, or ends if only its end changed. */
export function daysMoved(before: Span, after: Span): number {
  const by = after.start === before.start ? after.end - before.end : after.start - before.start;
  return Math.round((floorDay(after.start + by) - floorDay(after.start)) / dayMs);
}
