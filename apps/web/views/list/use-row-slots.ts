import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';
import type { Line } from './use-paced-rows.ts';

/** A line, and the key of the element that draws it. */
export interface SlottedRow extends Line {
  readonly slot: number;
}

interface Slots {
  readonly rows: readonly SlottedRow[];
  /** Keys of lines whose elements are not taken for others. */
  readonly own: ReadonlySet<string>;
}

interface SlotOptions {
  readonly canReuse: boolean;
  /** The line with the focus, and the record under edit: their elements are never those of another line. */
  readonly active: number;
  readonly editing: number | undefined;
}

let lastSlot = 0;

/** The keys under which React draws the lines, which stay in the order of the table. */
export function useRowSlots(
  body: RefObject<HTMLElement | null>,
  lines: readonly Line[],
  { canReuse, active, editing }: SlotOptions,
): readonly SlottedRow[] {
  const before = useRef<Slots>({ rows: [], own: new Set() });
  const rows = slottedRows(lines, canReuse, withFocused(before.current, body.current), () => ++lastSlot);
  useLayoutEffect(() => {
    const isOwn = ({ row, index }: Line) => index === active || (row.kind === 'record' && row.id === editing);
    before.current = { rows, own: new Set(rows.filter(isOwn).map(({ row }) => row.key)) };
  });
  return rows;
}

/** A click leaves the focus in a row that is not the active one. */
function withFocused({ rows, own }: Slots, body: HTMLElement | null): Slots {
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!focused || !body?.contains(focused)) return { rows, own };
  const line = rows.find(({ index }) => index === Number(focused.dataset.row));
  return { rows, own: line ? new Set([...own, line.row.key]) : own };
}

/**
 * A line that was drawn keeps its element. While a list scrolls, one that comes takes that of one of its kind that left: new texts cost a
 * fraction of new elements. None takes an element from below a line that stays, because React would then move all lines that stay.
 */
export function slottedRows(
  lines: readonly Line[],
  canReuse: boolean,
  { rows, own }: Slots,
  newSlot: () => number,
): readonly SlottedRow[] {
  const here = new Set(lines.map(({ row }) => row.key));
  const known = new Map(rows.map(({ row, slot }, at) => [row.key, { kind: row.kind, slot, at }]));
  const free: Record<Row['kind'], { readonly slot: number; readonly at: number }[]> = {
    record: [],
    wait: [],
    group: [],
  };
  for (const [at, { row, slot }] of rows.entries()) {
    if (canReuse && !here.has(row.key) && !own.has(row.key)) free[row.kind].push({ slot, at });
  }
  let nextKept = rows.length;
  const fromBelow = lines.toReversed().map((line) => {
    const { key, kind } = line.row;
    const kept = known.get(key);
    if (kept?.kind === kind) {
      nextKept = kept.at;
      return { ...line, slot: kept.slot };
    }
    while ((free[kind].at(-1)?.at ?? -1) >= nextKept) free[kind].pop();
    return { ...line, slot: free[kind].pop()?.slot ?? newSlot() };
  });
  return fromBelow.reverse();
}
