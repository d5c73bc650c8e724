import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type SearchState, useWindow, type WorkspacePayload } from '../../door/index.ts';
import { Card } from './card.tsx';

interface CardListProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly ids: readonly number[];
  /** All cards, loaded or not. */
  readonly total: number;
  readonly label: string;
  readonly liftedId: number | null;
  readonly hintId: string | undefined;
}

const windowedFrom = 60;

/** The cards of a column; if there are many, only visible ones are rendered. They scroll in the parent element. */
export function CardList({ workspace, search, ids, total, label, liftedId, hintId }: CardListProps) {
  const list = useRef<HTMLUListElement>(null);
  const scroll = useParent(list);
  const isWindowed = Math.max(ids.length, total) > windowedFrom;
  const [heights] = useState(() => usualHeight(workspace.arch.key ?? workspace.model));
  const { from, to, top, bottom, show, measure } = useWindow({
    scroll,
    count: isWindowed ? ids.length : 0,
    rowHeight: heights.expected(),
    isMeasured: true,
    keyOf: useCallback((at: number) => ids[at] as number, [ids]),
    onMeasured: heights.saw,
    ...{ coverTop: 0, coverBottom: 0, start: 0 },
  });
  const liftedAt = isWindowed && liftedId !== null ? ids.indexOf(liftedId) : -1;
  useEffect(() => {
    if (liftedAt >= 0) show(liftedAt);
  }, [liftedAt, show]);
  // A card that the keyboard moves into a part that is not rendered keeps the focus once it is.
  useLayoutEffect(() => {
    if (liftedAt < 0 || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[data-card="${liftedId}"] .kanban-title`)?.focus({ preventScroll: true });
  });
  const [first, drawn] = isWindowed ? [from, ids.slice(from, to + 1)] : [0, ids];
  return (
    <ul
      ref={list}
      aria-label={label}
      className={isWindowed ? 'kanban-windowed' : undefined}
      style={isWindowed ? { paddingTop: top, paddingBottom: bottom } : undefined}
    >
      {drawn.map((id, at) => {
        const index = first + at;
        const place = isWindowed ? { 'aria-setsize': ids.length, 'aria-posinset': index + 1, 'data-index': index } : {};
        return (
          <li key={id} ref={isWindowed ? measure : undefined} {...place}>
            <Card {...{ workspace, search, id, hintId }} isLifted={id === liftedId} />
          </li>
        );
      })}
    </ul>
  );
}

/** The parent of an element. Its own `ref` would be set only after the effects of the list. */
function useParent(inner: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return useMemo(
    () => ({
      get current() {
        return inner.current?.parentElement ?? null;
      },
    }),
    [inner],
  );
}

/** The most common card height by screen, for when the board is opened again. */
const usualHeights = new Map<string, number>();

/**
 * Cards are assumed to have the most common height so far. One that differs moves the cards below it, and the column
 * renders twice in the same frame.
 */
export function usualHeight(screen: string) {
  const counts = new Map<number, number>();
  let usual = usualHeights.get(screen) ?? 112;
  return {
    expected: () => usual,
    saw(height: number): void {
      const count = (counts.get(height) ?? 0) + 1;
      counts.set(height, count);
      if (count > (counts.get(usual) ?? 0)) {
        usual = height;
        usualHeights.set(screen, usual);
      }
    },
  };
}
