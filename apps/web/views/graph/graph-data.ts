import { changeOf, type Domain, type Figure, type GroupRow, type MeasureArch } from '../../door/index.ts';

/** One figure of the chart, and how to find the records behind it. */
export interface Cell {
  readonly value: Figure;
  readonly count: number;
  readonly domain: Domain;
}

/** A point on the axis. */
export interface Point {
  readonly key: string;
  readonly label: string;
  /** The axis label, where space is short. */
  readonly short: string;
  /** All series together, from the database. */
  readonly total: Cell | null;
  /** The same point in the comparison period. */
  readonly before: (Cell & { readonly label: string }) | null;
  /** What the change compares: the period up to today, and the same days of the period before. */
  readonly now: Cell | null;
  readonly earlier: Cell | null;
  /** The period contains today. */
  readonly isRunning: boolean;
  /** A date that ended before today. */
  readonly isOver: boolean;
}

/** The key of the point, or the series, that combines everything not shown. */
export const restKey = 'rest';

/** One series, drawn in one colour. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** A CSS colour. */
  readonly colour: string;
  readonly isRest: boolean;
  readonly measure: MeasureArch;
  /** In another unit than the first measure: it uses the second axis. */
  readonly isAside: boolean;
  readonly total: Cell | null;
  /** One per point, in the same order. */
  readonly cells: readonly (Cell | null)[];
}

export interface GraphData {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly total: Cell | null;
}

/** The groups of a row as one key. */
export function rowKey(row: GroupRow, groups: readonly string[]): string {
  return JSON.stringify(groups.map((group) => row[group] ?? null));
}

/** Carries running totals over points without records; cells after `lastPlace` stay empty. */
export function carriedCells<T extends Cell>(cells: readonly (T | null)[], lastPlace: number): readonly (T | null)[] {
  let last: T | null = null;
  return cells.map((cell, at) => {
    last = cell ?? last;
    return at > lastPlace ? null : last;
  });
}

/** In an order in which neighbours are easy to tell apart. */
const colours = ['var(--c1)', 'var(--c3)', 'var(--c2)', 'var(--c5)', 'var(--c6)', 'var(--c4)'] as const;

export function seriesColour(at: number, isRest: boolean): string {
  return isRest ? 'var(--c7)' : (colours[at % colours.length] ?? colours[0]);
}

/** The relative change of a point; null if there is nothing to compare with. */
export function changeAt({ now, earlier }: Pick<Point, 'now' | 'earlier'>): number | null {
  return changeOf(amount(now), earlier && amount(earlier));
}

export function amount(cell: Cell | null | undefined): number {
  return Number(cell?.value ?? 0);
}
