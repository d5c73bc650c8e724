import { formatShort } from '../../door/index.ts';
import type { GraphChoice } from './graph-choice.ts';
import { amount, type GraphData } from './graph-data.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  /** The same grid lines in the unit of the second axis; empty if there is none. */
  readonly asideTicks: readonly { readonly value: number; readonly y: number }[];
  /** The full-height band of each point. */
  readonly bands: readonly Box[];
  /** By series and point; null if there is nothing to draw. For lines, boxes have no width. */
  readonly boxes: readonly (readonly (Box | null)[])[];
  readonly ghosts: readonly (Box | null)[];
  /** The target line; it climbs for running totals. */
  readonly target: readonly (readonly [x: number, y: number])[];
  readonly zero: number;
  /** Where the total of a point is written; null if there is no room. */
  readonly tops: readonly ({ readonly x: number; readonly y: number } | null)[];
}

interface LayoutSpec {
  readonly data: GraphData;
  readonly choice: GraphChoice;
  /** Keys of the series switched off in the legend. */
  readonly hidden: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
  readonly isRtl: boolean;
}

const labelRoom = 44;
const digitWidth = 6.6;

/** Computes all positions. Drawing and hit testing use the same numbers. */
// Over 60 lines: each step needs the scales of the steps before.
export function layoutOf(spec: LayoutSpec): Layout {
  const { data, choice, hidden, width, height, isRtl } = spec;
  const { points, series } = data;
  const shown = series.map((one) => !hidden.has(one.key));
  const isStacked = choice.kind === 'stacked' || choice.kind === 'area';
  const isAside = series.map((one) => one.isAside);
  const own = shown.map((is, at) => is && !isAside[at]);
  const aside = shown.map((is, at) => is && isAside[at] === true);
  const [low, high] = extent(spec, own.some(Boolean) ? own : shown, isStacked);
  const [asideLow, asideHigh] = extent(spec, aside, isStacked);
  const hasAside = aside.some(Boolean) && own.some(Boolean);
  const values = niceTicks(
    hasAside && asideLow < 0 ? Math.min(low, -high / 4) : low,
    high,
    Math.max(2, Math.floor(height / 80)),
  );
  // Both axes share grid lines and zero: a step of one is a round step of the other.
  const asideStep = hasAside ? stepFor(values, asideLow, asideHigh) : 0;
  const asideShare = asideStep > 0 ? stepOf(values) / asideStep : 1;
  const asideValues = hasAside ? values.map((value) => Number((value / asideShare).toPrecision(12))) : [];
  const roomOf = (written: readonly number[]) =>
    Math.max(24, ...written.map((value) => formatShort(value).length * digitWidth)) + 12;
  const room = roomOf(values);
  const otherRoom = hasAside ? roomOf(asideValues) : choice.target === null ? 12 : 60;
  const plot = {
    x: room,
    y: 24,
    width: Math.max(10, width - room - otherRoom),
    height: Math.max(10, height - 56),
  };
  const [first = 0, last = 1] = [values[0], values.at(-1)];
  const y = (value: number) => plot.y + plot.height - ((value - first) / (last - first || 1)) * plot.height;
  const step = plot.width / Math.max(1, points.length);
  const mirrored = (box: Box): Box => (isRtl ? { ...box, x: width - box.x - box.width } : box);
  const bands = points.map((_, at) => ({ x: plot.x + at * step, y: plot.y, width: step, height: plot.height }));
  const isLine = choice.kind === 'line' || choice.kind === 'area';
  const hasGhost = points.some(({ before }) => before !== null);
  const bars = isLine ? { start: step / 2, width: 0 } : barSpan(step, hasGhost);
  const stacks = points.map(() => ({ up: 0, down: 0 }));
  const count = shown.filter(Boolean).length;
  const now = points.findIndex(({ isRunning }) => isRunning);
  // A month without records counts as zero, up to today; an average without records has no value.
  const isZero = (at: number) => choice.kind === 'line' && choice.canRun && (now < 0 || at <= now);
  let column = 0;
  const boxes = series.map((one, index) => {
    if (!shown[index]) return points.map(() => null);
    const place = column++;
    return one.cells.map((cell, at) => {
      if (cell === null && !isStacked && !isZero(at)) return null;
      const value = amount(cell) * (hasAside && isAside[index] ? asideShare : 1);
      const stack = stacks[at] as { up: number; down: number };
      const from = isStacked ? (value < 0 ? stack.down : stack.up) : 0;
      if (value < 0) stack.down += value;
      else stack.up += value;
      if (cell === null && choice.kind !== 'area' && !isZero(at)) return null;
      const [top, bottom] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
      const part = isStacked || isLine ? bars.width : bars.width / count;
      const x = (bands[at] as Box).x + bars.start + (isStacked || isLine ? 0 : part * place);
      return mirrored({ x, y: top, width: part, height: bottom - top });
    });
  });
  const ghostWidth = Math.min(9, Math.max(1, step * 0.12));
  const ghosts = points.map(({ before }, at) => {
    if (!before) return null;
    const value = amount(before);
    const x =
      (bands[at] as Box).x + (isLine ? step / 2 : Math.max(0, bars.start - ghostWidth - Math.min(4, step * 0.04)));
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    return mirrored({ x, y: top, width: isLine ? 0 : ghostWidth, height: bottom - top });
  });
  const tops = points.map((_, at) => {
    const isRoomy = step >= labelRoom && (isStacked || series.length === 1) && hidden.size === 0;
    if (!isRoomy || choice.kind === 'area') return null;
    const stack = stacks[at] as { up: number; down: number };
    if (stack.up === 0 && stack.down === 0) return null;
    const band = bands[at] as Box;
    const x = band.x + bars.start + bars.width / 2;
    return { x: isRtl ? width - x : x, y: y(stack.up) - 8 };
  });
  return {
    width,
    height,
    plot: mirrored(plot),
    ticks: values.map((value) => ({ value, y: y(value) })),
    asideTicks: asideValues.map((value, at) => ({ value, y: y(values[at] ?? 0) })),
    bands: bands.map(mirrored),
    boxes,
    ghosts,
    target: targetLine(choice, bands, y).map(([x, at]) => [isRtl ? width - x : x, at] as const),
    zero: y(0),
    tops,
  };
}

function stepOf(values: readonly number[]): number {
  return (values[1] ?? 1) - (values[0] ?? 0);
}

/** A round step with which the given number of lines above and below zero covers all values. */
function stepFor(values: readonly number[], low: number, high: number): number {
  const [above, below] = [values.filter((value) => value > 0).length, values.filter((value) => value < 0).length];
  const rough = Math.max(high / Math.max(1, above), -low / Math.max(1, below));
  return niceStep(rough);
}

/** The start and width of a point's bars; the bar of the comparison period comes before them. */
function barSpan(step: number, hasGhost: boolean): { readonly start: number; readonly width: number } {
  const gap = Math.min(step * 0.18, 26);
  const ghost = hasGhost ? Math.min(13, step * 0.16) : 0;
  const width = Math.min(Math.max(0.5, step - 2 * gap - ghost), 72);
  return { start: (step - width + ghost) / 2, width };
}

function extent(
  { data, choice }: LayoutSpec,
  shown: readonly boolean[],
  isStacked: boolean,
): readonly [number, number] {
  let low = 0;
  let high = 0;
  for (const [at, { before }] of data.points.entries()) {
    let up = 0;
    let down = 0;
    for (const [index, one] of data.series.entries()) {
      if (!shown[index]) continue;
      const value = amount(one.cells[at]);
      if (!isStacked) [up, down] = [Math.max(up, value), Math.min(down, value)];
      else if (value < 0) down += value;
      else up += value;
    }
    const target = choice.target === null ? 0 : choice.target * (choice.isRunning ? at + 1 : 1);
    high = Math.max(high, up, amount(before), target);
    low = Math.min(low, down, amount(before), target);
  }
  return [low, high === low ? low + 1 : high];
}

/** Round numbers that enclose all values. */
export function niceTicks(low: number, high: number, count: number): readonly number[] {
  const step = niceStep((high - low) / count);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // Rounded, so that 3 × 0.1 does not become 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5].find((one) => one * power >= rough) ?? 10);
}

function targetLine({ target, isRunning }: GraphChoice, bands: readonly Box[], y: (value: number) => number) {
  const [first, last] = [bands[0], bands.at(-1)];
  if (target === null || !first || !last) return [];
  const end = isRunning ? target * bands.length : target;
  return [[first.x, y(target)] as const, [last.x + last.width, y(end)] as const];
}

/** The point under the pointer; -1 outside of the plot. */
export function pointAt({ bands }: Layout, x: number): number {
  return bands.findIndex((band) => x >= band.x && x < band.x + band.width);
}

/** The series under the pointer, or the nearest line; -1 if there is none. */
export function seriesAt({ boxes }: Layout, point: number, x: number, y: number, isLine: boolean): number {
  if (!isLine) {
    return boxes.findIndex((row) => {
      const box = row[point];
      return box && y >= box.y && y <= box.y + box.height && x >= box.x && x <= box.x + box.width;
    });
  }
  let nearest = -1;
  let least = 24;
  for (const [index, row] of boxes.entries()) {
    const box = row[point];
    if (box && Math.abs(box.y - y) < least) [nearest, least] = [index, Math.abs(box.y - y)];
  }
  return nearest;
}
