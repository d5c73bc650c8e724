import { type KeyboardEvent, useCallback, useRef } from 'react';
import { readingKey } from '../../door/index.ts';
import { type BoardColumn, columnOf } from './board.ts';
import type { Board } from './use-board.ts';

interface KeySpec {
  readonly board: Board;
  readonly root: React.RefObject<HTMLElement | null>;
  readonly isFolded: (column: BoardColumn) => boolean;
  readonly onCreate: (column: BoardColumn) => void;
}

/** Arrow keys move between cards; C creates one in the same column. */
export function useCardKeys(spec: KeySpec): (event: KeyboardEvent) => void {
  const latest = useRef(spec);
  latest.current = spec;
  return useCallback((event: KeyboardEvent) => {
    const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]');
    if (!card || !(event.target as HTMLElement).matches('.kanban-title')) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!pressOnCard(latest.current, Number(card.dataset.card), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }, []);
}

function pressOnCard(spec: KeySpec, id: number, key: string): boolean {
  const column = columnOf(spec.board.columns, id);
  if (!column) return false;
  if (key === 'c') {
    spec.onCreate(column);
    return true;
  }
  const next = neighbour(spec, column, id, key);
  if (next === undefined) return key === ' ';
  if (next !== null) focusCard(spec.root.current, next.id, next.column.key);
  return true;
}

/** The card that an arrow key leads to; null: there is none, undefined: not an arrow key. */
function neighbour(spec: KeySpec, column: BoardColumn, id: number, key: string): Place | null | undefined {
  const at = column.ids.indexOf(id);
  const placeIn = (own: BoardColumn, index: number) => {
    const found = own.ids[index];
    return found === undefined ? null : { id: found, column: own };
  };
  if (key === 'ArrowDown') return placeIn(column, at + 1);
  if (key === 'ArrowUp') return placeIn(column, at - 1);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[readingKey(key)];
  if (step === undefined) return undefined;
  const open = spec.board.columns.filter((one) => one === column || (one.ids.length > 0 && !spec.isFolded(one)));
  const next = open[open.indexOf(column) + step];
  return next ? placeIn(next, Math.min(at, next.ids.length - 1)) : null;
}

interface Place {
  readonly id: number;
  readonly column: BoardColumn;
}

/**
 * In a long column only some cards are rendered: if the card is not among them, the first rendered one takes the focus.
 */
export function focusCard(root: HTMLElement | null, id: number, column?: string): void {
  const own = column && root?.querySelector(`[data-column="${CSS.escape(column)}"]`);
  const link =
    root?.querySelector<HTMLElement>(`[data-card="${id}"] .kanban-title`) ??
    (own ? own.querySelector<HTMLElement>('.kanban-title') : null);
  link?.focus();
  link?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
