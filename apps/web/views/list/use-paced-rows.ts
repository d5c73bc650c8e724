import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { drawInFrame, type RowWindow } from '../../door/index.ts';
import type { Row, Rows } from './rows.ts';

/**
 * New records per frame while scrolling: as many as the machine renders in time, at most what one turn of the wheel
 * needs.
 */
const most = 8;
const fewest = 2;
let newInFrame = fewest;

/** Slows down after a long frame, and speeds up after a short one that used its full quota. Shared by all lists. */
export function nextPace(pace: number, { tookMs, added }: { readonly tookMs: number; readonly added: number }): number {
  if (tookMs > 40) return Math.max(fewest, Math.floor(pace / 2));
  return tookMs < 28 && added >= pace ? Math.min(most, pace + 1) : pace;
}

/**
 * The rows to render. While the list scrolls, new records are spread over several frames, visible ones first, so that
 * no frame is late. Otherwise all are rendered at once.
 */
export function usePacedRows(rows: Rows, view: RowWindow, active: number): readonly Line[] {
  const drawn = useRef<ReadonlySet<string>>(new Set());
  const [, drawMore] = useReducer((count: number) => count + 1, 0);
  const spent = useRef<{ frame: number; count: number }>({ frame: 0, count: 0 });
  // A scroll and an arriving page in the same frame share the quota of new records.
  const frame = Number(document.timeline.currentTime);
  const isMoving = view.isMoving();
  const before = spent.current.frame === frame ? spent.current.count : 0;
  const pace = { drawn: drawn.current, room: newInFrame - before, active };
  const { lines, added, isHeld } = isMoving ? pacedLines(rows, view, pace) : allLines(rows, view);
  useLayoutEffect(() => {
    const last = { tookMs: frame - spent.current.frame, added: spent.current.count };
    if (isMoving && last.tookMs > 0 && last.added > 0) newInFrame = nextPace(newInFrame, last);
    spent.current = { frame, count: before + added };
    drawn.current = new Set(lines.flatMap(({ row: { kind, key } }) => (kind === 'wait' ? [] : [key])));
  });
  useEffect(() => (isHeld ? drawInFrame(drawMore) : undefined));
  return lines;
}

/** What one table row renders: a row, or a run of rows that are not loaded. */
export interface Line {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
}

interface Lines {
  readonly lines: readonly Line[];
  /** Records that were not rendered before. */
  readonly added: number;
  /** Some loaded records are left for the next frame. */
  readonly isHeld: boolean;
}

type VisibleRange = Pick<RowWindow, 'from' | 'to' | 'first' | 'last'>;

export function allLines(rows: Pick<Rows, 'at'>, view: VisibleRange): Lines {
  return { lines: toLines(rowsIn(rows, view), view.from), added: 0, isHeld: false };
}

function rowsIn(rows: Pick<Rows, 'at'>, { from, to }: VisibleRange): Row[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => rows.at(from + at));
}

function toLines(rows: readonly Row[], from: number): readonly Line[] {
  const lines: Line[] = [];
  for (const [at, row] of rows.entries()) {
    const last = lines.at(-1);
    const isSame = row.kind === 'wait' && last?.row.kind === 'wait';
    if (isSame) lines[lines.length - 1] = { ...last, count: last.count + 1 };
    else lines.push({ row, index: from + at, count: 1 });
  }
  return lines;
}

interface Pace {
  readonly drawn: ReadonlySet<string>;
  /** How many new records fit into this frame. */
  readonly room: number;
  /** The focused row, which is never delayed. */
  readonly active: number;
}

/** Limits the number of new records per frame, visible ones first. */
export function pacedLines(rows: Pick<Rows, 'at'>, view: VisibleRange, { drawn, room, active }: Pace): Lines {
  const { from, to, first, last } = view;
  const shown = rowsIn(rows, view);
  let added = 0;
  let isHeld = false;
  const take = (begin: number, end: number) => {
    for (let index = begin; index <= end; index++) {
      const row = shown[index - from];
      if (!row || row.kind === 'wait' || drawn.has(row.key) || index === active) continue;
      if (added < room) {
        added++;
        continue;
      }
      shown[index - from] = { kind: 'wait', key: `wait-${index}` };
      isHeld = true;
    }
  };
  take(first, last);
  take(last + 1, to);
  take(from, first - 1);
  return { lines: toLines(shown, from), added, isHeld };
}
