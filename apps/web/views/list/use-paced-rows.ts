import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { busy } from '../../state/idle.ts';
import type { RowWindow } from '../../ui/use-window.ts';
import { newInFrame, paced, whole } from './paced-rows.ts';
import type { Row, Rows } from './rows.ts';

/**
 * The lines to draw. While the list moves, a page of records that arrives is drawn over a few frames, those in sight first:
 * all at once they would make one frame late, which the hand feels. Standing still, everything is drawn at once.
 */
export function usePacedRows(rows: Rows, view: RowWindow, active: number): readonly Row[] {
  const drawn = useRef<ReadonlySet<string>>(new Set());
  const [, drawMore] = useReducer((count: number) => count + 1, 0);
  const spent = useRef<{ frame: unknown; count: number }>({ frame: null, count: 0 });
  // The same for everything that happens before the next frame: a scroll and a page that arrives share what it takes.
  const frame = document.timeline.currentTime;
  const before = spent.current.frame === frame ? spent.current.count : 0;
  const pace = { drawn: drawn.current, room: newInFrame - before, active };
  const { lines, added, isHeld } = view.isMoving() ? paced(rows, view, pace) : whole(rows, view);
  useLayoutEffect(() => {
    spent.current = { frame, count: before + added };
    drawn.current = new Set(lines.flatMap(({ kind, key }) => (kind === 'wait' ? [] : [key])));
  });
  useEffect(() => {
    if (!isHeld) return;
    const done = busy();
    const frame = requestAnimationFrame(() => {
      drawMore();
      done();
    });
    return () => {
      cancelAnimationFrame(frame);
      done();
    };
  });
  return lines;
}
