import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { busyTimer } from '../../door/index.ts';
import { type MapView, type Point, type Size, withinWorld, worldWidth, zoomAt } from './mercator.ts';

export function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current as HTMLElement;
    const measure = () => setSize({ width: Math.floor(element.clientWidth), height: Math.floor(element.clientHeight) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

/** Runs once the value has been stable for a moment: the URL and the city names need not follow every pixel. */
export function useSettled<T>(value: T, delay: number, run: (value: T) => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => busyTimer(() => latest.current(value), delay), [value, delay]);
}

interface PointerState {
  readonly fingers: Map<number, Point>;
  /** How far the pointer has moved since the press, to tell a click from a drag. */
  moved: number;
}

interface GestureOptions {
  readonly surface: RefObject<HTMLElement | null>;
  readonly view: MapView;
  readonly size: Size;
  readonly look: (view: MapView) => void;
  /** A click on the map itself. */
  readonly onSpot: (spot: Point) => void;
}

/** Moves the map by drag, pinch, wheel and keys. */
export function useMapGestures({ surface, view, size, look, onSpot }: GestureOptions) {
  const now = useRef({ view, size, look });
  now.current = { view, size, look };
  const hand = useRef<PointerState>({ fingers: new Map(), moved: 0 });
  useEffect(() => {
    const element = surface.current as HTMLElement;
    const turned = (event: WheelEvent) => {
      event.preventDefault();
      const { view, size, look } = now.current;
      const step = Math.max(-1, Math.min(1, -event.deltaY / (event.deltaMode === 0 ? 240 : 8)));
      look(zoomAt(view, size, spotOf(element, event), view.zoom + step));
    };
    element.addEventListener('wheel', turned, { passive: false });
    return () => element.removeEventListener('wheel', turned);
  }, [surface]);
  const down = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0 || (event.target as Element).closest('button, a, input, .map-over')) return;
    const { fingers } = hand.current;
    if (fingers.size === 0) hand.current.moved = 0;
    fingers.set(event.pointerId, spotOf(event.currentTarget, event));
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: ReactPointerEvent<HTMLElement>) => {
    const { fingers } = hand.current;
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const spot = spotOf(event.currentTarget, event);
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    fingers.set(event.pointerId, spot);
    hand.current.moved += Math.hypot(spot.x - before.x, spot.y - before.y);
    if (hand.current.moved > 4) now.current.look(pulled(now.current, { before, spot, other: others[0] }));
  };
  const up = (event: ReactPointerEvent<HTMLElement>) => {
    const isClick = hand.current.fingers.delete(event.pointerId) && hand.current.moved <= 4;
    if (isClick && event.type === 'pointerup' && hand.current.fingers.size === 0)
      onSpot(spotOf(event.currentTarget, event));
  };
  return { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: up };
}

function spotOf(
  element: HTMLElement,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

interface PointerMove {
  readonly before: Point;
  readonly spot: Point;
  /** The position of the second finger. */
  readonly other: Point | undefined;
}

function pulled(
  { view, size }: { readonly view: MapView; readonly size: Size },
  { before, spot, other }: PointerMove,
): MapView {
  const world = worldWidth(view.zoom);
  const share = other ? 2 : 1;
  const [right, down] = [(spot.x - before.x) / share, (spot.y - before.y) / share];
  const moved = withinWorld({ ...view, x: view.x - right / world, y: view.y - down / world }, size);
  if (!other) return moved;
  const [was, is] = [before, spot].map((one) => Math.hypot(one.x - other.x, one.y - other.y)) as [number, number];
  const middle = { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 };
  return was > 0 && is > 0 ? zoomAt(moved, size, middle, view.zoom + Math.log2(is / was)) : moved;
}

const step = 0.25;

/** Arrows move by a quarter of the map, plus and minus zoom; null for other keys. */
export function keyedView(key: string, view: MapView, size: Size): MapView | null {
  const world = worldWidth(view.zoom);
  const [right, down] = [(size.width * step) / world, (size.height * step) / world];
  const by = { ArrowLeft: [-right, 0], ArrowRight: [right, 0], ArrowUp: [0, -down], ArrowDown: [0, down] }[key];
  if (by) return withinWorld({ ...view, x: view.x + (by[0] ?? 0), y: view.y + (by[1] ?? 0) }, size);
  const nearer = { '+': 1, '=': 1, '-': -1 }[key];
  return nearer ? withinWorld({ ...view, zoom: view.zoom + nearer }, size) : null;
}
