import type { WorkspacePayload } from '@kontor/protocol';
import { measureElement, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SearchState } from '../../search/search-state.ts';
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
  /** What the cards scroll in. */
  readonly scroller: RefObject<HTMLElement | null>;
}

const windowedFrom = 60;

/** The cards of a column, one under the other; of many only those in sight are drawn. */
export function CardList({ workspace, search, ids, total, label, liftedId, hintId, scroller }: CardListProps) {
  const list = useRef<HTMLUListElement>(null);
  const isWindowed = Math.max(ids.length, total) > windowedFrom;
  // The same function for the same cards: with another one the places of all of them are worked out again, in every frame.
  const getItemKey = useCallback((at: number) => ids[at] as number, [ids]);
  const [heights] = useState(usualHeight);
  const virtual = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: heights.expected,
    measureElement: (...given) => heights.saw(measureElement(...given)),
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

/**
 * A card is expected to be as high as most were so far. One that is not moves those below it: the column is then drawn a second time for
 * the same frame.
 */
export function usualHeight() {
  const counts = new Map<number, number>();
  let usual = 112;
  return {
    expected: () => usual,
    saw(height: number): number {
      const count = (counts.get(height) ?? 0) + 1;
      counts.set(height, count);
      if (count > (counts.get(usual) ?? 0)) usual = height;
      return height;
    },
  };
}
