import { changeOf, type Domain, type Figure, type GroupRow, type MeasureArch } from '../../door/index.ts';

/** One figure of the chart, and how to find the records behind it. */
export interface Cell {
  readonly value: Figure;
  readonly count: number;
  readonly domain: Domain;
}

/** A place along the axis. */
export interface Point {
  readonly key: string;
  readonly label: string;
  /** For the axis itself, where there is little room. */
  readonly short: string;
  /** All parts together, as the database says. */
  readonly total: Cell | null;
  /** The same place of the period compared with. */
  readonly before: (Cell & { readonly label: string }) | null;
  /** The days that a change is between: those so far, and the same days before. */
  readonly now: Cell | null;
  readonly earlier: Cell | null;
  /** Today is in it: it is not over yet. */
  readonly isRunning: boolean;
  /** A date that ended before today. */
  readonly isOver: boolean;
}

/** Of the place, or the part, that stands for all that are not shown. */
export const restKey = 'rest';

/** One part of every place: a colour. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** 1 to 7, as the tokens are numbered. */
  readonly colour: number;
  readonly isRest: boolean;
  readonly measure: MeasureArch;
  /** Counted in something else than the first measure: it has the axis at the other side. */
  readonly isAside: boolean;
  readonly total: Cell | null;
  /** By point, in their order. */
  readonly cells: readonly (Cell | null)[];
}

export interface GraphData {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly total: Cell | null;
}

/** Groups of a row as one text. */
export function rowKey(row: GroupRow, groups: readonly string[]): string {
  return JSON.stringify(groups.map((group) => row[group] ?? null));
}

/** A place without records of its own has what came before it; what comes after the last place stays empty. */
export function carriedCells<T extends Cell>(cells: readonly (T | null)[], lastPlace: number): readonly (T | null)[] {
  let last: T | null = null;
  return cells.map((cell, at) => {
    last = cell ?? last;
    return at > lastPlace ? null : last;
  });
}

const colours = 6;

export function seriesColour(at: number, isRest: boolean): number {
  return isRest ? colours + 1 : (at % colours) + 1;
}

/** How a place changed; null where there is nothing to compare with. */
export function changeAt({ now, earlier }: Pick<Point, 'now' | 'earlier'>): number | null {
  return changeOf(amount(now), earlier && amount(earlier));
}

export function amount(cell: Cell | null | undefined): number {
  return Number(cell?.value ?? 0);
}
