import type { Move } from './board.ts';
import { findSpot, scrollAtEdges } from './find-spot.ts';

interface DragTarget {
  /** The card hovers over another place. */
  hover(move: Move): void;
  drop(move: Move): void;
  cancel(): void;
}

const mouseThreshold = 5;
const touchPatience = 10;
const touchHold = 280;

/** From the press on a card to its release. A finger must rest first, so that it can still scroll. */
export function startDrag(board: HTMLElement, card: HTMLElement, press: PointerEvent, target: DragTarget): void {
  const id = Number(card.dataset.card);
  const isTouch = press.pointerType !== 'mouse';
  const controller = new AbortController();
  const { signal } = controller;
  let ghost: HTMLElement | null = null;
  let point = { x: press.clientX, y: press.clientY };
  let last: Move | null = null;
  let frame = 0;
  const hold = isTouch ? setTimeout(() => lift(), touchHold) : undefined;
  const lift = () => {
    ghost = makeGhost(card);
    document.documentElement.classList.add('is-dragging-card');
    frame = requestAnimationFrame(step);
    follow();
  };
  const end = () => {
    clearTimeout(hold);
    cancelAnimationFrame(frame);
    controller.abort();
    ghost?.remove();
    document.documentElement.classList.remove('is-dragging-card');
  };
  const follow = () => {
    if (!ghost) return;
    ghost.style.translate = `${point.x - press.clientX}px ${point.y - press.clientY}px`;
    const spot = findSpot(board, id, point.x, point.y);
    if (!spot || (last && last.to === spot.to && last.before === spot.before)) return;
    last = { id, ...spot };
    target.hover(last);
  };
  const step = () => {
    scrollAtEdges(board, point.x, point.y);
    frame = requestAnimationFrame(step);
  };
  const moved = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return;
    const distance = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
    point = { x: event.clientX, y: event.clientY };
    if (!ghost && isTouch && distance > touchPatience) return end();
    if (!ghost && !isTouch && distance > mouseThreshold) lift();
    follow();
  };
  const released = () => {
    const isDragged = ghost !== null;
    end();
    if (!isDragged) return;
    swallowClick();
    if (last) target.drop(last);
    else target.cancel();
  };
  const stopped = () => {
    const isDragged = ghost !== null;
    end();
    if (isDragged) target.cancel();
  };
  window.addEventListener('pointermove', moved, { signal });
  window.addEventListener('pointerup', released, { signal });
  window.addEventListener('pointercancel', stopped, { signal });
  // Where a scroll is under way already, nothing can be stopped: the browser takes the finger away (`pointercancel`).
  const keepStill = (event: TouchEvent) => ghost && event.cancelable && event.preventDefault();
  window.addEventListener('touchmove', keepStill, { signal, passive: false });
  window.addEventListener('contextmenu', (event) => ghost && event.preventDefault(), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && ghost && stopped(), {
    signal,
    capture: true,
  });
}

/** A picture of the card that follows the pointer. */
function makeGhost(card: HTMLElement): HTMLElement {
  const { left, top, width } = card.getBoundingClientRect();
  const ghost = card.cloneNode(true) as HTMLElement;
  ghost.removeAttribute('data-card');
  ghost.setAttribute('aria-hidden', 'true');
  ghost.inert = true;
  ghost.classList.add('kanban-ghost');
  ghost.classList.remove('is-lifted');
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
  document.body.append(ghost);
  return ghost;
}

/** The release that drops a card is not a click on it. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}
