import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../../data/toasts.ts';
import { isRightToLeft, t } from '../../i18n/messages.ts';
import { type BoardColumn, cardAfter, columnOf, type Move } from './board.ts';
import type { Board } from './use-board.ts';

interface CardKeys {
  /** The card that the keyboard holds. */
  readonly liftedId: number | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface KeySpec {
  readonly board: Board;
  readonly root: React.RefObject<HTMLElement | null>;
  readonly canMove: boolean;
  readonly nameOf: (id: number) => string;
  readonly isFolded: (column: BoardColumn) => boolean;
  readonly onCreate: (column: BoardColumn) => void;
}

/** Arrows go from card to card; Space lifts one, arrows then carry it, Space drops it, Escape puts it back. */
export function useCardKeys(spec: KeySpec): CardKeys {
  const [liftedId, setLifted] = useState<number | null>(null);
  const now = useRef({ spec, liftedId });
  now.current = { spec, liftedId };
  const { columns } = spec.board;
  const held = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a carried card is drawn anew in its next column.
  useLayoutEffect(() => {
    const id = liftedId ?? held.current;
    held.current = liftedId;
    if (id !== null) focusCard(spec.root.current, id);
  }, [liftedId, columns]);
  const onKeyDown = useCallback((event: KeyboardEvent) => {
    const { spec, liftedId } = now.current;
    const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]');
    if (!card || !(event.target as HTMLElement).matches('.kanban-title')) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = Number(card.dataset.card);
    const isHandled =
      liftedId === null ? pressOnCard(spec, id, event.key, setLifted) : carry(spec, liftedId, event.key, setLifted);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }, []);
  return { liftedId, onKeyDown };
}

type SetLifted = (id: number | null) => void;

function pressOnCard(spec: KeySpec, id: number, key: string, setLifted: SetLifted): boolean {
  const { board, root } = spec;
  if (key === ' ') {
    if (!spec.canMove) return true;
    setLifted(id);
    announce(t('Lifted {name}. Arrows move it, Space drops it, Escape puts it back.', { name: spec.nameOf(id) }));
    return true;
  }
  const column = columnOf(board.columns, id);
  if (!column) return false;
  if (key === 'c') {
    spec.onCreate(column);
    return true;
  }
  const next = neighbour(spec, column, id, key);
  if (next === undefined) return false;
  if (next !== null) focusCard(root.current, next);
  return true;
}

/** The card that an arrow leads to; null: there is none, undefined: no arrow. */
function neighbour(spec: KeySpec, column: BoardColumn, id: number, key: string): number | null | undefined {
  const at = column.ids.indexOf(id);
  if (key === 'ArrowDown') return column.ids[at + 1] ?? null;
  if (key === 'ArrowUp') return column.ids[at - 1] ?? null;
  const step = sideways(key);
  if (step === 0) return undefined;
  const open = spec.board.columns.filter((one) => one === column || (one.ids.length > 0 && !spec.isFolded(one)));
  const next = open[open.indexOf(column) + step];
  return next ? (next.ids[Math.min(at, next.ids.length - 1)] ?? null) : null;
}

function carry(spec: KeySpec, id: number, key: string, setLifted: SetLifted): boolean {
  const { board } = spec;
  if (key === 'Tab') return true;
  if (key === 'Escape') {
    setLifted(null);
    board.setPreview(null);
    announce(t('{name} is back where it was.', { name: spec.nameOf(id) }));
    return true;
  }
  if (key === ' ' || key === 'Enter') {
    setLifted(null);
    if (board.preview) board.move(board.preview);
    else announce(t('{name} stays where it was.', { name: spec.nameOf(id) }));
    return true;
  }
  const next = carried(board.columns, id, key);
  if (!next) return key.startsWith('Arrow');
  board.setPreview(next);
  announceSpot(board.columns, next);
  return true;
}

function carried(columns: readonly BoardColumn[], id: number, key: string): Move | null {
  const column = columnOf(columns, id);
  if (!column) return null;
  const at = column.ids.indexOf(id);
  if (key === 'ArrowUp') return at > 0 ? { id, to: column.key, before: column.ids[at - 1] as number } : null;
  if (key === 'ArrowDown') {
    const after = cardAfter(column, id);
    return after === null ? null : { id, to: column.key, before: cardAfter(column, after) };
  }
  const step = sideways(key);
  const next = step === 0 ? undefined : columns[columns.indexOf(column) + step];
  return next ? { id, to: next.key, before: next.ids[at] ?? null } : null;
}

function announceSpot(columns: readonly BoardColumn[], { id, to, before }: Move): void {
  const column = columns.find(({ key }) => key === to);
  if (!column) return;
  const others = column.ids.filter((one) => one !== id);
  const at = before === null ? others.length : others.indexOf(before);
  announce(t('{column}, place {n} of {total}', { column: column.label, n: at + 1, total: others.length + 1 }));
}

function sideways(key: string): number {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
  return isRightToLeft() ? -step : step;
}

function focusCard(root: HTMLElement | null, id: number): void {
  const link = root?.querySelector<HTMLElement>(`[data-card="${id}"] .kanban-title`);
  link?.focus();
  link?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
