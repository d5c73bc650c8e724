import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';
import type { Line } from './use-paced-rows.ts';

/** A line, and which of the table's rows draws it. */
export interface SlottedRow extends Line {
  readonly slot: number;
}

interface Slots {
  /** By the key of the line, in the order of the table. */
  readonly slots: ReadonlyMap<string, { readonly slot: number; readonly kind: Row['kind']; readonly index?: number }>;
  /** Lines whose elements are not taken for others. */
  readonly own: ReadonlySet<string>;
}

interface SlotOptions {
  readonly canReuse: boolean;
  /** The line with the focus, and the record under edit: their elements are never those of another line. */
  readonly active: number;
  readonly editing: number | undefined;
}

let lastSlot = 0;

/**
 * While a list scrolls, the row of a line that left draws one that came: new texts cost a fraction of new elements. React is given the rows
 * in an order of its own that never changes, and each is put into its place afterwards, so that only those that draw another line are moved.
 */
export function useRowSlots(
  body: RefObject<HTMLElement | null>,
  lines: readonly Line[],
  options: SlotOptions,
): readonly SlottedRow[] {
  const before = useRef<Slots>({ slots: new Map(), own: new Set() });
  const given = slottedRows(lines, options.canReuse, withFocused(before.current, body.current), () => ++lastSlot);
  useLayoutEffect(() => {
    const shown = [...given].sort((a, b) => a.index - b.index);
    const slots = new Map(shown.map(({ slot, row: { key, kind }, index }) => [key, { slot, kind, index }]));
    const isOwn = ({ row, index }: SlottedRow) =>
      index === options.active || (row.kind === 'record' && row.id === options.editing);
    before.current = { slots, own: new Set(shown.filter(isOwn).map(({ row }) => row.key)) };
    if (body.current) putInOrder(body.current);
  });
  return given;
}

/** A click leaves the focus in a row that is not the active one. */
function withFocused(before: Slots, body: HTMLElement | null): Slots {
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!focused || !body?.contains(focused)) return before;
  const place = Number(focused.dataset.row);
  const own = [...before.slots].flatMap(([key, { index }]) => (index === place ? key : []));
  return { ...before, own: new Set([...before.own, ...own]) };
}

/** In the order of their slots. A line that was there keeps its own; a new one takes that of one of its kind that left. */
export function slottedRows(
  lines: readonly Line[],
  canReuse: boolean,
  before: Slots,
  newSlot: () => number,
): readonly SlottedRow[] {
  const here = new Set(lines.map(({ row }) => row.key));
  const free: Record<Row['kind'], number[]> = { record: [], wait: [], group: [] };
  if (canReuse) {
    for (const [key, { slot, kind }] of before.slots) if (!here.has(key) && !before.own.has(key)) free[kind].push(slot);
  }
  return lines
    .map((line) => {
      const { row } = line;
      const known = before.slots.get(row.key);
      const kept = known?.kind === row.kind ? known.slot : undefined;
      return { ...line, slot: kept ?? free[row.kind].shift() ?? newSlot() };
    })
    .sort((a, b) => a.slot - b.slot);
}

/** Moves as few rows as possible, and never the one with the focus, which would lose it. */
function putInOrder(body: HTMLElement): void {
  const rows = [...body.children] as HTMLElement[];
  const places = rows.map((row) => Number(row.dataset.row));
  if (places.every((place, at) => at === 0 || place > (places[at - 1] as number))) return;
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const staying = longestRise(places, focused);
  const order = places.map((_, at) => at).sort((a, b) => (places[b] as number) - (places[a] as number));
  let next: HTMLElement | null = null;
  for (const at of order) {
    const row = rows[at] as HTMLElement;
    if (!staying.has(at)) body.insertBefore(row, next);
    next = row;
  }
}

/** Positions of the longest rising run of numbers, not side by side, with the one at `fixed` in it (-1: none). */
export function longestRise(numbers: readonly number[], fixed: number): ReadonlySet<number> {
  const pinned = numbers[fixed];
  const fits = (number: number, at: number) =>
    pinned === undefined || at === fixed || (at < fixed ? number < pinned : number > pinned);
  const length: number[] = [];
  const previous: number[] = [];
  let end = -1;
  numbers.forEach((number, at) => {
    length[at] = 0;
    previous[at] = -1;
    if (!fits(number, at)) return;
    length[at] = 1;
    for (let before = 0; before < at; before++) {
      const longer = (length[before] as number) + 1;
      if (length[before] === 0 || (numbers[before] as number) >= number || longer <= (length[at] as number)) continue;
      length[at] = longer;
      previous[at] = before;
    }
    if (end < 0 || (length[at] as number) > (length[end] as number)) end = at;
  });
  const found = new Set<number>();
  for (let at = end; at >= 0; at = previous[at] as number) found.add(at);
  return found;
}
