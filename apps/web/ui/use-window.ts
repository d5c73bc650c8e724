import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { firstScreen, whileBusy } from '../state/idle.ts';
import { drawFrame } from './frame-drawing.ts';

interface WindowOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** What lies over the rows at the top and the bottom of the window: sticky headers and footers. */
  readonly coverTop: number;
  readonly coverBottom: number;
  /** Where to begin, in pixels. */
  readonly start: number;
}

/** Rows to draw (`from` to `to`) and rows in sight (`first` to `last`); all inclusive. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
  /** How many rows are drawn at most; the same wherever it is scrolled to. */
  readonly most: number;
  /** Pixels of the rows before and after those that are drawn. */
  readonly top: number;
  readonly bottom: number;
  /** True for a moment after each scroll event. */
  isMoving(): boolean;
  /** Brings a row into sight; `isStart` puts it first. */
  show(index: number, isStart?: boolean): void;
}

const overscan = 6;
/** Rows that fit into the last window: the next is nearly always as high. 0 before the first has been measured. */
let lastSize = 0;
/** The bars of the shell and of a view, which leave the rest to the first window: drawn for that, it is laid out once. */
const barsHeight = 99;
/** Long enough for what was scrolled to to come from the server. */
const movingMs = 400;

/**
 * Draws only the visible rows of a long list whose rows are equally high. Written here because a library would cost 10 kB on the
 * first load.
 */
export function useWindow(options: WindowOptions): RowWindow {
  const { scroll, count, rowHeight, start } = options;
  const given = useRef(options);
  given.current = options;
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const [seen, setSeen] = useState(() => ({
    first: Math.floor(start / rowHeight),
    size: lastSize || firstSize(options),
  }));
  const [around, setAround] = useState(lastSize === 0 ? 0 : overscan);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where to begin counts once.
  useLayoutEffect(() => {
    const element = scroll.current;
    if (!element) return;
    if (start > 0 && element.scrollTop === 0) element.scrollTop = start;
    const look = () => setSeen((now) => visible(element, given.current, now));
    // Those out of sight are not waited for.
    if (lastSize === 0) void whileBusy(firstScreen.then(() => setAround(overscan)));
    const onScroll = () => {
      movedAt.current = performance.now();
      drawFrame(look);
    };
    // Tells of the size at once, after the layout that the frame needs in any case.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroll]);
  // Fewer rows than before may leave the window behind their end.
  const before = useRef(count);
  useEffect(() => {
    const element = scroll.current;
    const isShorter = count < before.current;
    before.current = count;
    if (element && isShorter) setSeen((now) => visible(element, { ...given.current, count }, now));
  }, [scroll, count]);
  const show = useCallback(
    (index: number, isStart = false) => {
      const element = scroll.current;
      const { rowHeight: height, coverTop, coverBottom } = given.current;
      if (!element) return;
      const top = index * height;
      const room = element.clientHeight - coverTop - coverBottom;
      const isAbove = top < element.scrollTop;
      if (isStart || isAbove) element.scrollTop = top;
      else if (top + height > element.scrollTop + room) element.scrollTop = top + height - room;
    },
    [scroll],
  );
  const isMoving = useCallback(() => performance.now() - movedAt.current < movingMs, []);
  return useMemo(() => {
    const first = Math.min(seen.first, Math.max(0, count - 1));
    const steps = { isMoving, show };
    const most = seen.size + 2 * overscan;
    const last = Math.min(count - 1, first + seen.size - 1);
    const from = Math.max(0, first - around);
    const to = Math.min(count - 1, last + around);
    const top = from * rowHeight;
    const bottom = Math.max(0, count - 1 - to) * rowHeight;
    return { from, to, first, last, most, top, bottom, ...steps };
  }, [seen, around, count, rowHeight, isMoving, show]);
}

/** As the styles say; higher where fingers touch. */
export function useRowHeight(): number {
  const [height] = useState(() => {
    const given = getComputedStyle(document.documentElement).getPropertyValue('--row');
    return Number.parseInt(given, 10) || 36;
  });
  return height;
}

type Seen = { readonly first: number; readonly size: number };

function firstSize({ rowHeight, coverTop, coverBottom }: WindowOptions): number {
  return Math.max(1, Math.ceil((window.innerHeight - barsHeight - coverTop - coverBottom) / rowHeight));
}

function visible(element: HTMLElement, { count, rowHeight, coverTop, coverBottom }: WindowOptions, now: Seen): Seen {
  const room = Math.max(rowHeight, element.clientHeight - coverTop - coverBottom);
  const size = Math.ceil(room / rowHeight);
  lastSize = size;
  const first = Math.max(0, Math.min(count - 1, Math.floor(element.scrollTop / rowHeight)));
  return first === now.first && size === now.size ? now : { first, size };
}
