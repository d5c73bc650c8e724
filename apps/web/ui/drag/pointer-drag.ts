import type { Point } from './places.ts';
import './drag.css';

interface PointerDrag {
  readonly press: PointerEvent;
  /** The element that was pressed, and the scroll container around all items. */
  readonly item: HTMLElement;
  readonly root: HTMLElement;
  /** The handle was pressed: touch needs no long press, and no ghost follows the pointer. */
  readonly isByHandle: boolean;
  /** False: the caller shows the target position, and no ghost follows the pointer. */
  readonly hasGhost?: boolean;
  onLift(): void;
  /** Also called while the page scrolls under the pointer. */
  onMove(point: Point): void;
  onEnd(isDropped: boolean): void;
}

const mouseThreshold = 5;
const touchTolerance = 10;
const touchHoldMs = 280;

/** Follows a pointer from press to release. Touch needs a long press first; otherwise it scrolls as usual. */
// Over 60 lines: the handlers share one pointer, its ghost and its frame, from press to release.
export function followPointer({
  press,
  item,
  root,
  isByHandle,
  hasGhost = !isByHandle,
  ...drag
}: PointerDrag): () => void {
  const isHeld = press.pointerType !== 'mouse' && !isByHandle;
  const controller = new AbortController();
  const { signal } = controller;
  let point: Point = { x: press.clientX, y: press.clientY };
  let isLifted = false;
  let ghost: HTMLElement | null = null;
  let frame = 0;
  const hold = isHeld ? setTimeout(() => lift(), touchHoldMs) : undefined;
  const lift = () => {
    isLifted = true;
    if (hasGhost) ghost = makeGhost(item);
    document.documentElement.classList.add('is-dragging');
    drag.onLift();
    frame = requestAnimationFrame(step);
    follow();
  };
  const follow = () => {
    if (ghost) ghost.style.translate = `${point.x - press.clientX}px ${point.y - press.clientY}px`;
    drag.onMove(point);
  };
  const step = () => {
    if (scrollAtEdges(root, point)) follow();
    frame = requestAnimationFrame(step);
  };
  const end = (isDropped: boolean) => {
    clearTimeout(hold);
    cancelAnimationFrame(frame);
    controller.abort();
    ghost?.remove();
    document.documentElement.classList.remove('is-dragging');
    if (!isLifted) return;
    swallowClick();
    drag.onEnd(isDropped);
  };
  const moved = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return;
    point = { x: event.clientX, y: event.clientY };
    const distance = Math.hypot(point.x - press.clientX, point.y - press.clientY);
    if (isLifted) follow();
    else if (isHeld && distance > touchTolerance) end(false);
    else if (!isHeld && distance > mouseThreshold) lift();
  };
  window.addEventListener('pointermove', moved, { signal });
  window.addEventListener('pointerup', (event) => event.pointerId === press.pointerId && end(true), { signal });
  window.addEventListener('pointercancel', () => end(false), { signal });
  window.addEventListener('contextmenu', (event) => isLifted && event.preventDefault(), { signal });
  // The pressed element still receives its touch events after the item is rendered elsewhere. A scroll that has begun
  // cannot be stopped: the browser then sends `pointercancel`.
  const keepStill = (event: TouchEvent) => isLifted && event.cancelable && event.preventDefault();
  for (const target of [window, press.target ?? window]) {
    target.addEventListener('touchmove', keepStill as EventListener, { signal, passive: false });
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isLifted) return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  };
  window.addEventListener('keydown', pressed, { signal, capture: true });
  return () => end(false);
}

/** A copy of the item that follows the pointer. */
function makeGhost(item: HTMLElement): HTMLElement {
  const { left, top, width, height } = item.getBoundingClientRect();
  const ghost = item.cloneNode(true) as HTMLElement;
  delete ghost.dataset.dragItem;
  ghost.setAttribute('aria-hidden', 'true');
  ghost.inert = true;
  ghost.classList.add('drag-ghost');
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(ghost);
  return ghost;
}

const edge = 48;
const speed = 14;

/** Scrolls the innermost scrollable element whose edge is near the pointer. True if one scrolled. */
function scrollAtEdges(root: HTMLElement, { x, y }: Point): boolean {
  let [movesAcross, movesDown] = [false, false];
  const under = document.elementFromPoint(x, y);
  for (let box = root.contains(under) ? under : root; box; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const before = { across: box.scrollLeft, down: box.scrollTop };
    if (!movesAcross && isScrolling(overflowX)) box.scrollLeft += scrollStep(x, left, right);
    if (!movesDown && isScrolling(overflowY)) box.scrollTop += scrollStep(y, top, bottom);
    movesAcross ||= box.scrollLeft !== before.across;
    movesDown ||= box.scrollTop !== before.down;
  }
  return movesAcross || movesDown;
}

function isScrolling(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

function scrollStep(at: number, start: number, end: number): number {
  if (at < start + edge) return -speed;
  return at > end - edge ? speed : 0;
}

/** Suppresses the click event of the release that drops an item. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}
