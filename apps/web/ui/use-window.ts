import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { firstScreen, whileBusy } from '../state/idle.ts';
import { drawFrame } from './frame-drawing.ts';

interface WindowOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** Row heights differ: rendered rows are measured, and all others are assumed to be `rowHeight` high. */
  readonly isMeasured?: boolean;
  /**
   * The key of a measured row, which keeps its height when the row moves; the index by default. Memoise it by the rows.
   */
  readonly keyOf?: (index: number) => number;
  /** Called with every measured height. */
  readonly onMeasured?: (height: number) => void;
  /** Pixels of the window that sticky headers and footers cover. */
  readonly coverTop: number;
  readonly coverBottom: number;
  /** Initial scroll position in pixels. */
  readonly start: number;
}

/** Rows to render (`from` to `to`) and visible rows (`first` to `last`), all inclusive. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
  /** The maximum number of rendered rows, the same for every scroll position. */
  readonly most: number;
  /** Height in pixels of the rows before and after the rendered ones. */
  readonly top: number;
  readonly bottom: number;
  /** True for a moment after each scroll event. */
  isMoving(): boolean;
  /** Scrolls a row into view; `isStart` puts it at the top. */
  show(index: number, isStart?: boolean): void;
  /** The `ref` of a measured row, which has its index in `data-index`. */
  measure(row: HTMLElement | null): (() => void) | undefined;
}

/** The options of the last render, and the positions of its rows. */
type Given = { readonly current: WindowOptions & { readonly places: RowPlaces } };

const overscan = 6;
/** Rows that fit into the last window, because the next one is nearly always as high. 0 until one has been measured. */
let lastSize = 0;
/** Height of the toolbars above the first window. Rendering for the remaining height needs only one layout. */
const barsHeight = 99;
/** Long enough for the rows at the new scroll position to arrive from the server. */
const movingMs = 400;

/** Renders only the visible rows of a long list. Written here because a library would add 10 kB to the first load. */
export function useWindow(options: WindowOptions): RowWindow {
  const { count, rowHeight, isMeasured = false, keyOf } = options;
  const [heights] = useState(() => new Map<number, number>());
  const [version, setVersion] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the heights.
  const places = useMemo(
    () => (isMeasured ? measuredRows(count, rowHeight, heights, keyOf) : equalRows(rowHeight)),
    [isMeasured, count, rowHeight, version, keyOf],
  );
  const given = useRef({ ...options, places });
  given.current = { ...options, places };
  const { seen, around, isMoving } = useSeen(given, count);
  const show = useShow(given, places);
  const measure = useMeasure(given, heights, () => setVersion((now) => now + 1));
  return useMemo(() => {
    const first = Math.min(seen.first, Math.max(0, count - 1));
    const last = Math.min(count - 1, first + seen.size - 1);
    const from = Math.max(0, first - around);
    const to = Math.min(count - 1, last + around);
    const top = places.topOf(from);
    const bottom = Math.max(0, places.topOf(count) - places.topOf(to + 1));
    return { from, to, first, last, most: seen.size + 2 * overscan, top, bottom, isMoving, show, measure };
  }, [seen, around, count, places, isMoving, show, measure]);
}

interface Seen {
  readonly first: number;
  readonly size: number;
}

/** The visible rows, and how many are rendered around them. */
function useSeen(given: Given, count: number) {
  const { scroll, start, rowHeight, isMeasured } = given.current;
  const [seen, setSeen] = useState<Seen>(() => ({
    first: Math.floor(start / rowHeight),
    size: (isMeasured ? 0 : lastSize) || firstSize(given.current),
  }));
  const [around, setAround] = useState(lastSize === 0 ? 0 : overscan);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const look = useCallback(() => setSeen((now) => visible(given.current, now)), [given]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where to begin counts once.
  useLayoutEffect(() => {
    const element = scroll.current;
    if (!element) return;
    if (start > 0 && element.scrollTop === 0) element.scrollTop = start;
    // The first screen does not wait for rows that are out of view.
    if (lastSize === 0) void whileBusy(firstScreen.then(() => setAround(overscan)));
    const onScroll = () => {
      movedAt.current = performance.now();
      drawFrame(look);
    };
    // Reports the size right away, after the layout that the frame does anyway.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroll, look]);
  // With fewer rows than before, the window may be past their end.
  const before = useRef(count);
  useEffect(() => {
    const isShorter = count < before.current;
    before.current = count;
    if (isShorter) look();
  }, [count, look]);
  const isMoving = useCallback(() => performance.now() - movedAt.current < movingMs, []);
  return { seen, around, isMoving };
}

function firstSize({ rowHeight, coverTop, coverBottom }: WindowOptions): number {
  return Math.max(1, Math.ceil((window.innerHeight - barsHeight - coverTop - coverBottom) / rowHeight));
}

function visible(given: Given['current'], now: Seen): Seen {
  const { scroll, count, rowHeight, isMeasured, coverTop, coverBottom, places } = given;
  const element = scroll.current;
  if (!element) return now;
  const room = Math.max(rowHeight, element.clientHeight - coverTop - coverBottom);
  const first = Math.max(0, Math.min(count - 1, places.rowAt(element.scrollTop)));
  const size = places.rowAt(places.topOf(first) + room - 1) - first + 1;
  if (!isMeasured) lastSize = size;
  return first === now.first && size === now.size ? now : { first, size };
}

/** Scrolls rows into view, and again when the measured heights around them differ from the estimate. */
function useShow(given: Given, places: RowPlaces): RowWindow['show'] {
  const wanted = useRef<{ readonly index: number; readonly isStart: boolean; readonly at: number } | null>(null);
  const show = useCallback<RowWindow['show']>(
    (index, isStart = false) => {
      const { scroll, coverTop, coverBottom, isMeasured, places: now } = given.current;
      const element = scroll.current;
      if (!element) return;
      const [top, end] = [now.topOf(index), now.topOf(index + 1)];
      const room = element.clientHeight - coverTop - coverBottom;
      if (isStart || top < element.scrollTop) element.scrollTop = top;
      else if (end > element.scrollTop + room) element.scrollTop = end - room;
      if (isMeasured) wanted.current = { index, isStart, at: element.scrollTop };
    },
    [given],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: other places, another way to the row.
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { index, isStart, at } = wanted.current;
    // The user has scrolled elsewhere in the meantime.
    if (given.current.scroll.current?.scrollTop === at) show(index, isStart);
    else wanted.current = null;
  }, [places]);
  return show;
}

/** Stores the heights of rendered rows. Changes above the visible rows do not move them. */
function useMeasure(given: Given, heights: Map<number, number>, onMoved: () => void): RowWindow['measure'] {
  const [observer] = useState(
    () =>
      new ResizeObserver((entries) => {
        const { scroll, places, keyOf = ownIndex, onMeasured } = given.current;
        let isMoved = false;
        let above = 0;
        for (const { target, borderBoxSize } of entries) {
          const index = Number((target as HTMLElement).dataset.index);
          const height = borderBoxSize[0]?.blockSize ?? 0;
          const before = places.topOf(index + 1) - places.topOf(index);
          if (height === 0) continue;
          onMeasured?.(height);
          // Stored even if it equals the estimate: the next rows may change the estimate.
          heights.set(keyOf(index), height);
          if (height === before) continue;
          isMoved = true;
          if (places.topOf(index + 1) <= (scroll.current?.scrollTop ?? 0)) above += height - before;
        }
        if (above !== 0 && scroll.current) scroll.current.scrollTop += above;
        if (isMoved) onMoved();
      }),
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  return useCallback(
    (row) => {
      if (!row) return;
      observer.observe(row);
      return () => observer.unobserve(row);
    },
    [observer],
  );
}

/** The row height from the style sheet; higher on touch screens. */
export function useRowHeight(): number {
  const [height] = useState(() => {
    const given = getComputedStyle(document.documentElement).getPropertyValue('--row');
    return Number.parseInt(given, 10) || 36;
  });
  return height;
}

/** Row positions, in pixels from the top of the first row. */
interface RowPlaces {
  topOf(index: number): number;
  /** The row at a vertical position. */
  rowAt(top: number): number;
}

export function equalRows(height: number): RowPlaces {
  return { topOf: (index) => index * height, rowAt: (top) => Math.max(0, Math.floor(top / height)) };
}

const ownIndex = (index: number): number => index;

/** Positions of rows of which some have been measured; the others have the estimated height. */
export function measuredRows(
  count: number,
  expected: number,
  heights: ReadonlyMap<number, number>,
  keyOf = ownIndex,
): RowPlaces {
  const tops = [0];
  for (let index = 0; index < count; index++)
    tops.push((tops[index] as number) + (heights.get(keyOf(index)) ?? expected));
  return {
    topOf: (index) => tops[Math.min(index, count)] as number,
    rowAt(top) {
      let [low, high] = [0, Math.max(0, count - 1)];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((tops[middle] as number) <= top) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
