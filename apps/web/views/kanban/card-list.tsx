import { elementScroll, measureElement, type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SearchState, WorkspacePayload } from '../../door/index.ts';
import { Card } from './card.tsx';

interface CardListProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly ids: readonly number[];
  /** How many there are, loaded or not. */
  readonly total: number;
  readonly label: string;
  readonly liftedId: number | null;
  readonly hintId: string | undefined;
}

type CardWindow = Virtualizer<Element, Element>;

const windowedFrom = 60;
/** As high as the last column was, the next one nearly always is. 0 before the first was seen. */
let lastRoom = 0;

/** The cards of a column, one under the other; of many only those in sight are drawn. They scroll in what is around the list. */
export function CardList({ workspace, search, ids, total, label, liftedId, hintId }: CardListProps) {
  const list = useRef<HTMLUListElement>(null);
  const isWindowed = Math.max(ids.length, total) > windowedFrom;
  // The same function for the same cards: with another one the places of all of them are worked out again, in every frame.
  const getItemKey = useCallback((at: number) => ids[at] as number, [ids]);
  const [heights] = useState(() => usualHeight(workspace.arch.key ?? workspace.model));
  const virtual = useVirtualizer<Element, Element>({
    count: ids.length,
    // Found by the list itself: an element around it is told to its own component only after this one has asked.
    getScrollElement: () => list.current?.parentElement ?? null,
    getItemKey,
    estimateSize: heights.expected,
    // Cards are drawn for the room and the height that they will have, and measured by the layout of the frame, not by one before it.
    initialRect: { width: 0, height: lastRoom || window.innerHeight },
    observeElementRect: watchRoom,
    measureElement: (element, entry, own) =>
      entry ? heights.saw(measureElement(element, entry, own)) : sizeOf(element, own),
    scrollToFn: scrollIfElsewhere,
    overscan: 3,
    enabled: isWindowed,
  });
  const liftedAt = isWindowed && liftedId !== null ? ids.indexOf(liftedId) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window follows the card that keys carry, not itself.
  useEffect(() => {
    if (liftedAt >= 0) virtual.scrollToIndex(liftedAt, { align: 'auto' });
  }, [liftedAt]);
  // A card that keys carry into a part that was not drawn keeps the focus once it is.
  useLayoutEffect(() => {
    if (liftedAt < 0 || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-card="${liftedId}"] .kanban-title`)?.focus({ preventScroll: true });
  });
  const items = isWindowed ? virtual.getVirtualItems() : null;
  const [first, last] = [items?.[0], items?.at(-1)];
  const room = first && last && { paddingTop: first.start, paddingBottom: virtual.getTotalSize() - last.end };
  const drawn = items ? items.map(({ index }) => index) : ids.map((_id, index) => index);
  return (
    <ul ref={list} aria-label={label} className={isWindowed ? 'kanban-windowed' : undefined} style={room}>
      {drawn.map((index) => {
        const id = ids[index] as number;
        const place = isWindowed ? { 'aria-setsize': ids.length, 'aria-posinset': index + 1, 'data-index': index } : {};
        return (
          <li key={id} ref={isWindowed ? virtual.measureElement : undefined} {...place}>
            <Card {...{ workspace, search, id, hintId }} isLifted={id === liftedId} />
          </li>
        );
      })}
    </ul>
  );
}

/** Tells of another height once the frame has laid it out. */
function watchRoom(cards: CardWindow, tell: (room: Rect) => void): (() => void) | undefined {
  const { scrollElement } = cards;
  if (!scrollElement) return undefined;
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = scrollElement;
    lastRoom = height;
    if (height !== cards.scrollRect?.height) tell({ width, height });
  });
  observer.observe(scrollElement);
  return () => observer.disconnect();
}

/** What is known of a card that has just come. */
function sizeOf(element: Element, { itemSizeCache, indexFromElement, options }: CardWindow): number {
  const index = indexFromElement(element);
  return itemSizeCache.get(options.getItemKey(index)) ?? options.estimateSize(index);
}

/** A column that is told to be where it is would be laid out at once for it. */
const scrollIfElsewhere: typeof elementScroll<Element> = (offset, options, cards) => {
  if (offset + (options.adjustments ?? 0) !== cards.scrollOffset) elementScroll(offset, options, cards);
};

/** How high the cards of a board mostly were, by its screen: they are when it is opened again. */
const usualHeights = new Map<string, number>();

/**
 * A card is expected to be as high as most were so far. One that is not moves those below it: the column is then drawn a second time for
 * the same frame.
 */
export function usualHeight(screen: string) {
  const counts = new Map<number, number>();
  let usual = usualHeights.get(screen) ?? 112;
  return {
    expected: () => usual,
    saw(height: number): number {
      const count = (counts.get(height) ?? 0) + 1;
      counts.set(height, count);
      if (count > (counts.get(usual) ?? 0)) {
        usual = height;
        usualHeights.set(screen, usual);
      }
      return height;
    },
  };
}
