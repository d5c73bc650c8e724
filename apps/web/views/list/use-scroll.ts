import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { bootstrap, matchesMedia, rememberPlace } from '../../door/index.ts';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';

/** Remembers the scroll position of a list. */
export function useKeptScroll(scroll: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const keep = () => rememberPlace(key, element.scrollTop);
    // Read the position before the rows change; reading it afterwards would force a layout.
    element.addEventListener('scroll', keep, { passive: true, capture: true });
    return () => element.removeEventListener('scroll', keep, { capture: true });
  }, [scroll, key]);
}

/** Scrolls to the page in the URL; the first page is already visible. */
export function useJump(offset: number, jump: (index: number) => void): void {
  const before = useRef(offset);
  useLayoutEffect(() => {
    if (before.current !== offset) jump(offset);
    before.current = offset;
  });
}

interface AnchorOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly rows: Rows;
  readonly rowHeight: number;
  readonly first: number;
  readonly last: number;
  /** Another search is another list, with its own position. */
  readonly placeKey: string;
  readonly active: ActiveCell;
  /** The user is dragging a row, so rows may move. */
  readonly isMoving: boolean;
}

/**
 * Keeps the visible rows and the focused row in place when others add or remove rows above. At the very top, with
 * nothing focused, a new row simply appears.
 */
export function useAnchor({ scroll, rows, rowHeight, first, last, placeKey, active, isMoving }: AnchorOptions): void {
  const wasMoving = useRef(false);
  const seen = useRef<{ placeKey: string; places: ReadonlyMap<number, number> }>({ placeKey, places: new Map() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move anything.
  useLayoutEffect(() => {
    const element = scroll.current;
    const isOwn = isMoving || wasMoving.current;
    wasMoving.current = isMoving;
    if (!element || isOwn || seen.current.placeKey !== placeKey) return;
    const { places } = seen.current;
    const focused = focusedRow(element, rows);
    const anchor = focused ?? firstStillThere(places, rows);
    const before = anchor === undefined ? undefined : places.get(anchor);
    if (anchor === undefined || before === undefined) return;
    const by = isAt(rows, before, anchor) ? 0 : rows.indexOf(anchor) - before;
    // Read `scrollTop` last: it forces a layout of the new rows.
    if (by === 0 || (focused === undefined && element.scrollTop === 0)) return;
    element.scrollTop += by * rowHeight;
    if (anchor === focused) active.stay(before + by);
  }, [rows]);
  useLayoutEffect(() => {
    const places = new Map<number, number>();
    for (let index = first; index <= last; index++) {
      const row = rows.at(index);
      if (row.kind === 'record') places.set(row.id, index);
    }
    seen.current = { placeKey, places };
  }, [rows, first, last, placeKey]);
}

function focusedRow(element: HTMLElement, rows: Rows): number | undefined {
  const line = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!line || !element.contains(line)) return undefined;
  const row = rows.at(Number(line.dataset.row));
  return row.kind === 'record' ? row.id : undefined;
}

/** The first of the visible rows that still exists. */
function firstStillThere(places: ReadonlyMap<number, number>, rows: Rows): number | undefined {
  for (const [id, index] of places) if (isAt(rows, index, id) || rows.indexOf(id) >= 0) return id;
  return undefined;
}

function isAt(rows: Rows, index: number, id: number): boolean {
  const row = index < rows.count ? rows.at(index) : null;
  return row?.kind === 'record' && row.id === id;
}

/** The next list is usually as wide as the last one. Starting with that width avoids a second layout. */
let lastWidth = 0;

/** The width of the first list, so that it needs one layout. A wrong guess is corrected in the same frame. */
function widthBesideMenu(): number {
  const hasSide = bootstrap().sidebarMenus.length > 0 && !matchesMedia('(max-width: 900px)');
  const side = getComputedStyle(document.documentElement).getPropertyValue('--side');
  return window.innerWidth - (hasSide ? Number.parseInt(side, 10) : 0) - scrollBarWidth();
}

function scrollBarWidth(): number {
  const probe = document.createElement('div');
  Object.assign(probe.style, { position: 'absolute', width: '99px', height: '99px', overflow: 'scroll' });
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

/** The inner width of an element, updated when it changes. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => lastWidth || widthBesideMenu());
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      lastWidth = element.clientWidth;
      setWidth(lastWidth);
    };
    // Reports the size right away, after the layout that the frame does anyway.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
