import { type RefObject, useCallback, useState } from 'react';
import type { LineActions } from './use-lines.ts';

/** Rows are dragged by their grip; the line that shows where one lands follows the pointer. */
export function useDrag(box: RefObject<HTMLElement | null>, actions: LineActions) {
  const [target, setTarget] = useState<number | null>(null);
  const startDrag = useCallback(
    (row: number, event: React.PointerEvent) => {
      if (event.button !== 0) return;
      event.preventDefault();
      const grip = event.currentTarget as HTMLElement;
      grip.setPointerCapture(event.pointerId);
      let to = row;
      const move = (moved: PointerEvent) => {
        const under = rowUnder(box.current, moved.clientY);
        if (under === null) return;
        to = under;
        setTarget(under === row ? null : under);
      };
      const end = () => {
        grip.removeEventListener('pointermove', move);
        grip.removeEventListener('pointerup', end);
        grip.removeEventListener('pointercancel', end);
        setTarget(null);
        if (to !== row) actions.move(row, to);
      };
      grip.addEventListener('pointermove', move);
      grip.addEventListener('pointerup', end);
      grip.addEventListener('pointercancel', end);
    },
    [box, actions],
  );
  return { target, startDrag };
}

function rowUnder(box: HTMLElement | null, y: number): number | null {
  const rows = [...(box?.querySelectorAll<HTMLElement>('.grid-row:not(.grid-head)') ?? [])];
  const row = rows.find((one) => y < one.getBoundingClientRect().bottom) ?? rows.at(-1);
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : null;
}
