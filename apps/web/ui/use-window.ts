import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { firstScreen, whileBusy } from '../state/idle.ts';
import { drawFrame } from './frame-drawing.ts';

interface WindowOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** Rows differ: those that are drawn are measured, and all others are taken to be as high as `rowHeight`. */
  readonly isMeasured?: boolean;
  /** The identity of a measured row, which keeps its height when it moves; its index if omitted. Memoise it by the rows. */
  readonly keyOf?: (index: number) => number;
  /** Called with each height that is measured. */
  readonly onMeasured?: (height: number) => void;
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
  /** The `ref` of a row that is measured; the row has its index as `data-index`. */
  measure(row: HTMLElement | null): (() => void) | undefined;
}

/** The options of the last drawing, and where its rows stand. */
type Given = { readonly current: WindowOptions & { readonly places: RowPlaces } };

const overscan = 6;
/** Rows that fit into the last window: the next is nearly always as high. 0 before the first has been measured. */
let lastSize = 0;
/** The bars of the shell and of a view, which leave the rest to the first window: drawn for that, it is laid out once. */
const barsHeight = 99;
/** Long enough for what was scrolled to to come from the server. */
const movingMs = 400;

/** Draws only the visible rows of a long list. Written here because a library would cost 10 kB on the first load. */
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

/** The rows in sight, and how many are drawn around them. */
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
  }, [scroll, look]);
  // Fewer rows than before may leave the window behind their end.
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

/** Brings rows into sight, once more when those around turn out to be higher or lower than expected. */
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
    // Scrolled elsewhere meanwhile: it is no longer wanted.
    if (given.current.scroll.current?.scrollTop === at) show(index, isStart);
    else wanted.current = null;
  }, [places]);
  return show;
}

/** Keeps the heights of rows that are drawn. What changes above those in sight leaves them where they are. */
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
          // Kept also where it is as expected: the next rows may let another height be expected.
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

/** As the styles say; higher where fingers touch. */
export function useRowHeight(): number {
  const [height] = useState(() => {
    const given = getComputedStyle(document.documentElement).getPropertyValue('--row');
    return Number.parseInt(given, 10) || 36;
  });
  return height;
}

/** Where rows stand, in pixels from the top of the first. */
interface RowPlaces {
  topOf(index: number): number;
  /** The row at so many pixels. */
  rowAt(top: number): number;
}

export function equalRows(height: number): RowPlaces {
  return { topOf: (index) => index * height, rowAt: (top) => Math.max(0, Math.floor(top / height)) };
}

const ownIndex = (index: number): number => index;

/** Rows of which some have been measured; the others have the height that is expected. */
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
