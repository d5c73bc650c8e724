import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { type DragLayout, type DragList, type DragMove, moveByKey, moveToPoint } from './places.ts';
import { followPointer } from './pointer-drag.ts';

/**
 * Draggable elements are marked with attributes: `data-drag-list` on each list (its key), `data-drag-item` on each
 * item, and `data-drag-handle` on the element of an item that handles keys.
 */
interface DragSpec {
  /** The element that contains all lists. */
  readonly root: RefObject<HTMLElement | null>;
  readonly isEnabled: boolean;
  readonly layout: DragLayout;
  /** Only the handle starts a drag; otherwise the whole item does, except for its other controls. */
  readonly isByHandle: boolean;
  lists(): readonly DragList[];
  nameOf(item: string): string;
  /** Shows the item in another position during the drag; null: in its original position. */
  preview(move: DragMove | null): void;
  /** Ends the preview. The item stays where it was shown last. */
  drop(move: DragMove): void;
  /** The position to announce, if it differs from what is shown; null: the list sorts its items itself. */
  placeOf?(move: DragMove): { readonly n: number; readonly total: number } | null;
}

interface Held {
  readonly item: string;
  /** `alt`: until the Alt key is released. */
  readonly by: 'pointer' | 'keys' | 'alt';
  /** The focus stays on the handle, wherever the item moves. */
  readonly isOnHandle: boolean;
}

export interface LiftedItem {
  readonly item: string;
  readonly isByKeys: boolean;
}

/**
 * Drags items by mouse, touch and keyboard: Space on the handle lifts, arrows move, Space or Enter drops, Alt+arrow
 * moves by one, and Escape cancels. Returns the item that is being dragged.
 */
export function useDrag(spec: DragSpec): LiftedItem | null {
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const { root, isEnabled } = spec;
  useEffect(() => {
    const element = root.current;
    return element && isEnabled ? listen(element, createDragState(latest, setHeld)) : undefined;
  }, [root, isEnabled]);
  // An item that moves to another list is rendered as a new element.
  useLayoutEffect(() => {
    if (held?.isOnHandle) focusHandle(latest.current.root.current, held.item);
  });
  return held && { item: held.item, isByKeys: held.by !== 'pointer' };
}

/** The dragged item and the position where it is shown. */
interface DragState {
  readonly spec: () => DragSpec;
  held(): Held | null;
  lift(next: Held): void;
  show(move: DragMove | null): void;
  finish(isDropped: boolean): void;
}

function createDragState(latest: { readonly current: DragSpec }, setHeld: (held: Held | null) => void): DragState {
  let held: Held | null = null;
  let move: DragMove | null = null;
  return {
    spec: () => latest.current,
    held: () => held,
    lift(next) {
      held = next;
      move = null;
      setHeld(next);
    },
    show(next) {
      if (!next || (next.list === move?.list && next.before === move.before)) return;
      move = next;
      latest.current.preview(next);
    },
    finish(isDropped) {
      if (!held) return;
      const { item, by, isOnHandle } = held;
      const { preview, drop, nameOf, root } = latest.current;
      const wanted = isDropped ? move : null;
      held = null;
      setHeld(null);
      if (wanted) drop(wanted);
      else preview(null);
      if (!wanted && by !== 'pointer') {
        const name = nameOf(item);
        announce(isDropped ? t('{name} was not moved.', { name }) : t('{name} was moved back.', { name }));
      }
      if (isOnHandle) requestAnimationFrame(() => focusHandle(root.current, item));
    },
  };
}

function listen(root: HTMLElement, drag: DragState): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let stopPointer = () => {};
  const press = (event: PointerEvent) => {
    stopPointer = pressPointer(event, root, drag) ?? stopPointer;
  };
  const pressKey = (event: KeyboardEvent) => {
    const held = drag.held();
    if (!(held ? carryByKey(event, held, drag) : liftByKey(event, drag))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const releaseKey = ({ key }: KeyboardEvent) => key === 'Alt' && drag.held()?.by === 'alt' && drag.finish(true);
  const leave = () => drag.held()?.by !== 'pointer' && drag.finish(true);
  root.addEventListener('pointerdown', press, { signal });
  root.addEventListener('keydown', pressKey, { signal });
  root.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
  window.addEventListener('keyup', releaseKey, { signal });
  window.addEventListener('blur', leave, { signal });
  window.addEventListener('pointerdown', leave, { signal, capture: true });
  return () => {
    stopPointer();
    controller.abort();
  };
}

const controls = 'button, input, select, textarea, [contenteditable], [popover], a:not([data-drag-handle])';

function pressPointer(event: PointerEvent, root: HTMLElement, drag: DragState): (() => void) | null {
  const target = event.target as Element;
  const element = target.closest<HTMLElement>('[data-drag-item]');
  const { isByHandle, layout } = drag.spec();
  if (!element || event.button !== 0 || drag.held()) return null;
  const control = target.closest(isByHandle ? '[data-drag-handle]' : controls);
  if ((control !== null && element.contains(control)) !== isByHandle) return null;
  const item = element.dataset.dragItem ?? '';
  return followPointer({
    press: event,
    item: element,
    root,
    isByHandle,
    onLift: () => drag.lift({ item, by: 'pointer', isOnHandle: false }),
    onMove: (point) => drag.show(moveToPoint(root, drag.spec().lists(), item, point, layout)),
    onEnd: drag.finish,
  });
}

/** Space on the handle lifts; Alt+arrow lifts and moves in one step. */
function liftByKey(event: KeyboardEvent, drag: DragState): boolean {
  const target = event.target as Element;
  const item = target.closest<HTMLElement>('[data-drag-item]')?.dataset.dragItem;
  if (item === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  const isOnHandle = target.matches('[data-drag-handle]');
  const { layout, lists, nameOf } = drag.spec();
  if (event.altKey) {
    // In vertical lists, Alt+Left and Alt+Right are left to the browser's history.
    const isAlong = layout === 'wrap' || event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const move = isAlong ? moveByKey(lists(), item, event.key, layout) : null;
    if (!move) return false;
    drag.lift({ item, by: 'alt', isOnHandle });
    showByKey(move, drag);
    return true;
  }
  if (event.key !== ' ' || !isOnHandle) return false;
  drag.lift({ item, by: 'keys', isOnHandle });
  announce(
    t('Picked up {name}. Use the arrow keys to move it, Space to drop it, Escape to cancel.', { name: nameOf(item) }),
  );
  return true;
}

function carryByKey({ key }: KeyboardEvent, { item }: Held, drag: DragState): boolean {
  if (key === 'Escape') drag.finish(false);
  else if (key === ' ' || key === 'Enter') drag.finish(true);
  else if (key.startsWith('Arrow')) {
    const { lists, layout } = drag.spec();
    showByKey(moveByKey(lists(), item, key, layout), drag);
  } else return key === 'Tab';
  return true;
}

function showByKey(move: DragMove | null, drag: DragState): void {
  if (!move) return;
  const lists = drag.spec().lists();
  drag.show(move);
  const list = lists.find(({ key }) => key === move.list);
  const others = list?.items.filter((one) => one !== move.item) ?? [];
  const shown = {
    n: (move.before === null ? others.length : others.indexOf(move.before)) + 1,
    total: others.length + 1,
  };
  const place = drag.spec().placeOf?.(move);
  if (place === null) return void announce(list?.label ?? '');
  const { n, total } = place ?? shown;
  announce(
    lists.length > 1
      ? t('{column}, position {n} of {total}', { column: list?.label ?? '', n, total })
      : t('{name} is at position {n} of {total}', { name: drag.spec().nameOf(move.item), n, total }),
  );
}

function focusHandle(root: HTMLElement | null, item: string): void {
  const handle = root?.querySelector<HTMLElement>(`[data-drag-item="${CSS.escape(item)}"] [data-drag-handle]`);
  if (!handle || handle === document.activeElement) return;
  handle.focus();
  handle.closest('[data-drag-item]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
