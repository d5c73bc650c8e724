import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { busy } from '../../state/idle.ts';
import type { RowWindow } from '../../ui/use-window.ts';
import type { Row, Rows } from './rows.ts';

/** New records per frame while the list scrolls: as many as the machine draws in time, never more than a turn of the wheel needs. */
const most = 8;
const fewest = 2;
let newInFrame = 4;

/** Fewer after a frame that took long, one more after a short one. Lists share it: the machine is the same. */
export function nextPace(pace: number, tookMs: number): number {
  if (tookMs > 40) return Math.max(fewest, Math.floor(pace / 2));
  return tookMs < 28 ? Math.min(most, pace + 1) : pace;
}

/**
 * The lines to draw. While the list scrolls, new records are drawn over several frames, visible ones first, so that no frame is
 * late. Otherwise all are drawn at once.
 */
export function usePacedRows(rows: Rows, view: RowWindow, active: number): readonly Row[] {
  const drawn = useRef<ReadonlySet<string>>(new Set());
  const [, drawMore] = useReducer((count: number) => count + 1, 0);
  const spent = useRef<{ frame: number; count: number }>({ frame: 0, count: 0 });
  // A scroll and an arriving page in the same frame share the number of new records.
  const frame = Number(document.timeline.currentTime);
  const isMoving = view.isMoving();
  const before = spent.current.frame === frame ? spent.current.count : 0;
  const pace = { drawn: drawn.current, room: newInFrame - before, active };
  const { lines, added, isHeld } = isMoving ? pacedLines(rows, view, pace) : allLines(rows, view);
  useLayoutEffect(() => {
    const took = frame - spent.current.frame;
    if (isMoving && took > 0 && spent.current.count > 0) newInFrame = nextPace(newInFrame, took);
    spent.current = { frame, count: before + added };
    drawn.current = new Set(lines.flatMap(({ kind, key }) => (kind === 'wait' ? [] : [key])));
  });
  useEffect(() => {
    if (!isHeld) return;
    const done = busy();
    let request = 0;
    const draw = () => {
      // Drawn after a scroll of this frame there would be no room left in it.
      if (spent.current.frame === Number(document.timeline.currentTime)) {
        request = requestAnimationFrame(draw);
        return;
      }
      // At once, in this frame's own layout: drawn after it, the next scroll would have to wait for another one.
      flushSync(drawMore);
      done();
    };
    request = requestAnimationFrame(draw);
    return () => {
      cancelAnimationFrame(request);
      done();
    };
  });
  return lines;
}

interface Lines {
  readonly lines: readonly Row[];
  /** Records that were not drawn before. */
  readonly added: number;
  /** Some are known and left for the next frame. */
  readonly isHeld: boolean;
}

type VisibleRange = Pick<RowWindow, 'from' | 'to' | 'first' | 'last'>;

export function allLines(rows: Pick<Rows, 'at'>, { from, to }: VisibleRange): Lines {
  const lines: Row[] = [];
  for (let index = from; index <= to; index++) lines.push(rows.at(index));
  return { lines, added: 0, isHeld: false };
}

interface Pace {
  readonly drawn: ReadonlySet<string>;
  /** How many new records this frame still takes. */
  readonly room: number;
  /** The line with the focus, which never waits. */
  readonly active: number;
}

/** What was not drawn before comes a few records a frame, those in sight first. */
export function pacedLines(rows: Pick<Rows, 'at'>, view: VisibleRange, { drawn, room, active }: Pace): Lines {
  const { from, to, first, last } = view;
  const lines = [...allLines(rows, view).lines];
  let added = 0;
  let isHeld = false;
  const take = (begin: number, end: number) => {
    for (let index = begin; index <= end; index++) {
      const row = lines[index - from];
      if (!row || row.kind === 'wait' || drawn.has(row.key) || index === active) continue;
      if (added < room) {
        added++;
        continue;
      }
      lines[index - from] = { kind: 'wait', key: `wait-${index}` };
      isHeld = true;
    }
  };
  take(first, last);
  take(last + 1, to);
  take(from, first - 1);
  return { lines, added, isHeld };
}
