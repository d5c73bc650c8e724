import type { GroupRow } from '@kontor/protocol';
import { useRef } from 'react';
import type { Money } from '../money.ts';

/** One line of the table, whatever it shows. All lines are equally high. */
export type Row =
  | { readonly kind: 'record'; readonly key: string; readonly id: number; readonly depth: number }
  /** Known to be there, not loaded yet. */
  | { readonly kind: 'wait'; readonly key: string }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly depth: number;
      readonly groupBy: string;
      readonly row: GroupRow;
      readonly isOpen: boolean;
      /** Its sums by currency, where there are several. */
      readonly money?: Money | undefined;
    };

/** The lines of a list as they are now; those that are not loaded are fetched when they come near the window. */
export interface Rows {
  readonly count: number;
  at(index: number): Row;
  /** Ids that are loaded, in order. */
  readonly ids: readonly number[];
  indexOf(id: number): number;
  /** Tells which lines are in sight. */
  see(first: number, last: number): void;
  /** Groups that are shown; those that wait are open, and what they hold is not known yet. */
  readonly groups: readonly { readonly key: string; readonly isOpen: boolean; readonly isWaiting: boolean }[];
  toggleGroup(key: string): void;
  /** Shows a row at another index before the server has it there. */
  move(id: number, to: number): void;
}

/**
 * Keeps the rows in place while a cell is under edit: rows that others add, move or delete follow afterwards. Values still
 * change.
 */
export function useHeldRows(rows: Rows, isHeld: boolean): Rows {
  const held = useRef<Rows | null>(null);
  if (!isHeld) held.current = null;
  else held.current ??= rows;
  return held.current ?? rows;
}

const pageSize = 80;

/** A long run of records of which some are loaded. */
export interface PagedIds {
  /** By position; holes are not loaded. */
  readonly ids: readonly (number | undefined)[];
  /** Pages that must be asked for again, because something changed since. */
  readonly stale: ReadonlySet<number>;
}

export const noIds: PagedIds = { ids: [], stale: new Set() };

/** Those of the first so many that are loaded. */
export function knownIds(ids: PagedIds['ids'], count: number): readonly number[] {
  return ids.slice(0, count).filter((id) => id !== undefined);
}

/** As many as a workspace brings: its first page is whole. */
export function pageOptions(page: number): { readonly limit: number; readonly offset: number } {
  return { limit: pageSize, offset: page * pageSize };
}

/** The first page between these lines that is to be asked for; `hasHole`: lines of it are waiting on the screen. */
export function pageToLoad(
  { ids, stale }: PagedIds,
  { first, last, total }: { readonly first: number; readonly last: number; readonly total: number },
): { readonly page: number; readonly hasHole: boolean } | null {
  const end = Math.min(last, total - 1);
  for (let page = Math.floor(Math.max(0, first) / pageSize); page * pageSize <= end; page++) {
    const hasHole = pageHasHole(ids, page, total);
    if (hasHole || stale.has(page)) return { page, hasHole };
  }
  return null;
}

function pageHasHole(ids: PagedIds['ids'], page: number, total: number): boolean {
  const end = Math.min((page + 1) * pageSize, total);
  for (let at = page * pageSize; at < end; at++) if (ids[at] === undefined) return true;
  return false;
}

/** With these records from an offset on. A page is fresh when all of it came. */
export function withIds(pages: PagedIds, offset: number, found: readonly number[], total: number): PagedIds {
  const ids = [...pages.ids];
  for (const [at, id] of found.entries()) ids[offset + at] = id;
  const stale = new Set(pages.stale);
  const page = Math.floor(offset / pageSize);
  const isWhole = offset === page * pageSize && (found.length >= pageSize || offset + found.length >= total);
  if (isWhole) stale.delete(page);
  return { ids, stale };
}

/** All that is loaded may be old by now. */
export function withStale({ ids }: PagedIds): PagedIds {
  return { ids, stale: new Set(Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, page) => page)) };
}
