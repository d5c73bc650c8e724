import { readingKey } from '../../i18n/messages.ts';

/** A list whose items can be reordered. */
export interface DragList {
  readonly key: string;
  readonly label: string;
  /** In the order shown now, including the dragged item. */
  readonly items: readonly string[];
}

/** Moves an item: into a list, before another item or to the end. */
export interface DragMove {
  readonly item: string;
  readonly list: string;
  readonly before: string | null;
}

/** The layout of a list: equally high rows, a column of items of any height, or items that wrap. */
export type DragLayout = 'rows' | 'column' | 'wrap';

/** A point in the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves an item before another one, or to the end. */
export function insertBefore<T>(items: readonly T[], item: T, before: T | null): readonly T[] {
  const rest = items.filter((one) => one !== item);
  const at = before === null ? -1 : rest.indexOf(before);
  return at < 0 ? [...rest, item] : [...rest.slice(0, at), item, ...rest.slice(at)];
}

const upAndDown: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };
const sideways: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** The move that an arrow key makes: within its list, or into the next one. */
export function moveByKey(lists: readonly DragList[], item: string, key: string, layout: DragLayout): DragMove | null {
  const from = lists.findIndex(({ items }) => items.includes(item));
  const list = lists[from];
  if (!list) return null;
  const arrow = readingKey(key);
  const at = list.items.indexOf(item);
  const step = upAndDown[arrow] ?? (layout === 'wrap' ? sideways[arrow] : undefined);
  if (step === undefined) {
    const next = lists[from + (sideways[arrow] ?? Number.NaN)];
    return next ? { item, list: next.key, before: next.items[at] ?? null } : null;
  }
  if (at + step < 0 || at + step >= list.items.length) return null;
  const rest = list.items.filter((one) => one !== item);
  return { item, list: list.key, before: rest[at + step] ?? null };
}

/**
 * The move for a pointer position: the list under the pointer, then the nearest item or the next item whose middle is
 * below.
 */
export function moveToPoint(
  root: HTMLElement,
  lists: readonly DragList[],
  item: string,
  { x, y }: Point,
  layout: DragLayout,
): DragMove | null {
  const boxes = [...root.querySelectorAll<HTMLElement>('[data-drag-list]')];
  if (root.dataset.dragList !== undefined) boxes.push(root);
  const box = boxes.length === 1 ? boxes[0] : boxes.find((one) => isBetweenSides(one, x));
  const list = lists.find(({ key }) => key === box?.dataset.dragList);
  if (!box || !list) return null;
  const drawn = [...box.querySelectorAll<HTMLElement>('[data-drag-item]')];
  const rest = list.items.filter((one) => one !== item);
  const move = (before: string | undefined) => ({ item, list: list.key, before: before ?? null });
  if (layout !== 'column') {
    const nearest = nearestTo(drawn, { x, y });
    return nearest ? move(rest[list.items.indexOf(itemOf(nearest))]) : null;
  }
  const others = drawn.filter((one) => itemOf(one) !== item);
  const next = others.find((one) => middleOf(one).y > y);
  if (next) return move(itemOf(next));
  // A long list renders only its visible items, so there may be more after the last rendered one.
  const last = others.at(-1);
  return move(last && rest[rest.indexOf(itemOf(last)) + 1]);
}

function itemOf(element: HTMLElement): string {
  return element.dataset.dragItem ?? '';
}

function isBetweenSides(element: HTMLElement, x: number): boolean {
  const { left, right } = element.getBoundingClientRect();
  return x >= left && x <= right;
}

function middleOf(element: HTMLElement): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function nearestTo(elements: readonly HTMLElement[], { x, y }: Point): HTMLElement | undefined {
  const distance = (element: HTMLElement) => {
    const middle = middleOf(element);
    return Math.hypot(x - middle.x, y - middle.y);
  };
  return elements.toSorted((one, other) => distance(one) - distance(other))[0];
}
