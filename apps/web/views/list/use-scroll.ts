import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { bootstrap, matchesMedia, rememberPlace } from '../../door/index.ts';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';

/** Remembers where a list was scrolled to. */
export function useKeptScroll(scroll: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const keep = () => rememberPlace(key, element.scrollTop);
    // Before the rows change: asked for afterwards, the place would have to be laid out first.
    element.addEventListener('scroll', keep, { passive: true, capture: true });
    return () => element.removeEventListener('scroll', keep, { capture: true });
  }, [scroll, key]);
}

/** A page that the address asks for comes into sight; the first one is there already. */
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
  /** Another search is another list: it starts where it starts. */
  readonly placeKey: string;
  readonly active: ActiveCell;
  /** The person moves a row: what moves then is meant to. */
  readonly isMoving: boolean;
}

/**
 * What others add or take away above leaves the rows in sight where they are, and the row that has the focus. At the very top,
 * with nothing touched, a new row simply appears.
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
    // Where it is scrolled to is asked for last: the rows that just came would have to be laid out for it.
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

/** The first of those in sight that is still there. */
function firstStillThere(places: ReadonlyMap<number, number>, rows: Rows): number | undefined {
  for (const [id, index] of places) if (isAt(rows, index, id) || rows.indexOf(id) >= 0) return id;
  return undefined;
}

function isAt(rows: Rows, index: number, id: number): boolean {
  const row = index < rows.count ? rows.at(index) : null;
  return row?.kind === 'record' && row.id === id;
}

/** Lists come and go in the same room. Drawing with the width of the last one spares a layout of rows that are drawn again anyway. */
let lastWidth = 0;

/** What the first one has: it is drawn for it, and laid out once. A wrong guess is put right in the same frame. */
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

/** The room inside an element, followed as it changes. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => lastWidth || widthBesideMenu());
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      lastWidth = element.clientWidth;
      setWidth(lastWidth);
    };
    // Tells of the size at once, after the layout that the frame needs in any case.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
