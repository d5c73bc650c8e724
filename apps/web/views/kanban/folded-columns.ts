import { useState } from 'react';
import { bootstrap } from '../../data/bootstrap.ts';
import type { BoardColumn } from './board.ts';

type Choices = Readonly<Record<string, boolean>>;

export interface Folding {
  isFolded(column: BoardColumn): boolean;
  toggle(column: BoardColumn): void;
}

/** Which columns a person folded or opened, kept in this browser; the others are as the stage says. */
export function useFolding(place: string): Folding {
  const key = `kontor:fold:${bootstrap().user.id}:${place}`;
  const [state, setState] = useState(() => ({ key, choices: readChoices(key) }));
  const choices = state.key === key ? state.choices : readChoices(key);
  const isFolded = (column: BoardColumn) => choices[column.key] ?? column.fold;
  return {
    isFolded,
    toggle(column) {
      const next = { ...choices, [column.key]: !isFolded(column) };
      setState({ key, choices: next });
      keepChoices(key, next);
    },
  };
}

function readChoices(key: string): Choices {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Choices;
  } catch {
    return {};
  }
}

function keepChoices(key: string, choices: Choices): void {
  try {
    localStorage.setItem(key, JSON.stringify(choices));
  } catch {
    // A browser that keeps nothing still folds until the page is left.
  }
}
