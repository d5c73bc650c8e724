import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';
import type { Line } from './use-paced-rows.ts';

/** A row, and the key of the element that renders it. */
export interface SlottedRow extends Line {
  readonly slot: number;
}

interface Slots {
  readonly rows: readonly SlottedRow[];
  /** Keys of rows whose elements are not reused. */
  readonly own: ReadonlySet<string>;
}

interface SlotOptions {
  readonly canReuse: boolean;
  /** The focused row and the edited record: their elements are never reused for another row. */
  readonly active: number;
  readonly editing: number | undefined;
}

let lastSlot = 0;

/** The React keys of the rows, which stay in table order. */
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

/** A click can leave the focus in a row that is not the active one. */
function withFocused({ rows, own }: Slots, body: HTMLElement | null): Slots {
  const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!focused || !body?.contains(focused)) return { rows, own };
  const line = rows.find(({ index }) => index === Number(focused.dataset.row));
  return { rows, own: line ? new Set([...own, line.row.key]) : own };
}

/**
 * A rendered row keeps its element. While scrolling, a new row reuses the element of a removed row of the same kind,
 * because new text is far cheaper than new elements. An element below a remaining row is never reused above it, because
 * React would then move all remaining rows.
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
