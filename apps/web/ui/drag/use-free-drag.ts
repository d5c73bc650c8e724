import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../../data/toasts.ts';
import { readingKey, t } from '../../i18n/messages.ts';
import type { Point } from './places.ts';
import { followPointer } from './pointer-drag.ts';

/** What is dragged: an item, one of its ends, or empty space where a new item is drawn. */
export interface Grip {
  /** As in `data-drag-item`; empty for a new item. */
  readonly item: string;
  readonly name: string;
  /** Touch needs no long press. */
  readonly isHandle: boolean;
}

/** A position that an arrow key leads to. `isLength`: Alt is held, so only the end moves. */
export interface KeyStep<G, P> {
  readonly grip: G;
  readonly from: P | null;
  readonly key: string;
  readonly isLength: boolean;
}

interface FreeDragSpec<G extends Grip, P> {
  readonly root: RefObject<HTMLElement | null>;
  readonly isEnabled: boolean;
  /** What a press or a key drags; null: nothing. */
  gripOf(target: Element, point: Point | null): G | null;
  /** The new position; null: unchanged. */
  placeAt(grip: G, point: Point): P | null;
  placeByKey(step: KeyStep<G, P>): P | null;
  /** The position in words, for screen readers. */
  tell(place: P): string;
  drop(grip: G, place: P): void;
}

/** What is dragged, and where it would be dropped. */
export interface FreeHeld<G, P> {
  readonly grip: G;
  readonly place: P | null;
  /** `Shift` and `Alt`: until the key is released. */
  readonly by: 'pointer' | 'keys' | 'Shift' | 'Alt';
}

/**
 * Drags on a surface with a scale (days, hours) instead of an order. Controls are those of `useDrag`: mouse, touch,
 * Space and arrows, Escape. Shift+arrow moves at once, Alt+arrow changes the length. Returns what is dragged and its
 * new position, which the caller renders.
 */
export function useFreeDrag<G extends Grip, P>(spec: FreeDragSpec<G, P>): FreeHeld<G, P> | null {
  const [held, setHeld] = useState<FreeHeld<G, P> | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const { root, isEnabled } = spec;
  useEffect(() => {
    const element = root.current;
    return element && isEnabled ? listen(element, () => latest.current, setHeld) : undefined;
  }, [root, isEnabled]);
  // After a move the item may be a new element.
  useLayoutEffect(() => {
    if (held && held.by !== 'pointer') focusItem(latest.current.root.current, held.grip.item);
  });
  return held;
}

// Over 60 lines: the listeners share the state of the drag, by pointer or keyboard.
function listen<G extends Grip, P>(
  root: HTMLElement,
  spec: () => FreeDragSpec<G, P>,
  setHeld: (held: FreeHeld<G, P> | null) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let held: FreeHeld<G, P> | null = null;
  let stopPointer = () => {};
  const hold = (next: FreeHeld<G, P> | null) => {
    held = next;
    setHeld(next);
  };
  const finish = (isDropped: boolean) => {
    if (!held) return;
    const { grip, place, by } = held;
    hold(null);
    if (isDropped && place !== null) spec().drop(grip, place);
    else if (by !== 'pointer') announce(t('{name} was moved back.', { name: grip.name }));
    if (by !== 'pointer' && grip.item !== '') requestAnimationFrame(() => focusItem(root, grip.item));
  };
  const step = (by: FreeHeld<G, P>['by'], grip: G, event: KeyboardEvent) => {
    const from = held?.place ?? null;
    const place = spec().placeByKey({ grip, from, key: readingKey(event.key), isLength: event.altKey });
    if (place === null) return false;
    hold({ grip, place, by });
    announce(spec().tell(place));
    return true;
  };
  const press = (event: PointerEvent) => {
    const target = event.target as Element;
    if (event.button !== 0 || held) return;
    const grip = spec().gripOf(target, { x: event.clientX, y: event.clientY });
    if (!grip) return;
    stopPointer = followPointer({
      press: event,
      item: (target.closest('[data-drag-item]') ?? target) as HTMLElement,
      root,
      isByHandle: grip.isHandle,
      hasGhost: false,
      onLift: () => hold({ grip, place: null, by: 'pointer' }),
      onMove: (point) => {
        const place = held && spec().placeAt(grip, point);
        if (place) hold({ grip, place, by: 'pointer' });
      },
      onEnd: finish,
    });
  };
  const pressKey = (event: KeyboardEvent) => {
    if (!(held ? carry(event, held) : lift(event))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const carry = (event: KeyboardEvent, { grip, by }: FreeHeld<G, P>): boolean => {
    if (by === 'pointer') return false;
    if (event.key === 'Escape') finish(false);
    else if (event.key === ' ' || event.key === 'Enter') finish(true);
    else if (event.key.startsWith('Arrow')) step(by, grip, event);
    else return event.key === 'Tab';
    return true;
  };
  const lift = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey) return false;
    const isArrow = event.key.startsWith('Arrow') && (event.shiftKey || event.altKey);
    if (!isArrow && event.key !== ' ') return false;
    const grip = spec().gripOf(event.target as Element, null);
    if (!grip) return false;
    if (isArrow) return step(event.altKey ? 'Alt' : 'Shift', grip, event);
    if (grip.item === '') return false;
    hold({ grip, place: null, by: 'keys' });
    announce(
      t('Picked up {name}. Use the arrow keys to move it, Space to drop it, Escape to cancel.', { name: grip.name }),
    );
    return true;
  };
  const leave = () => held !== null && held.by !== 'pointer' && finish(true);
  root.addEventListener('pointerdown', press, { signal });
  root.addEventListener('keydown', pressKey, { signal });
  root.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
  window.addEventListener('keyup', ({ key }) => held?.by === key && finish(true), { signal });
  window.addEventListener('blur', leave, { signal });
  window.addEventListener('pointerdown', leave, { signal, capture: true });
  return () => {
    stopPointer();
    controller.abort();
  };
}

function focusItem(root: HTMLElement | null, item: string): void {
  if (item === '') return;
  const found = root?.querySelector<HTMLElement>(`[data-drag-item="${CSS.escape(item)}"]`);
  if (!found || found === document.activeElement) return;
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
