import type { WorkspacePayload } from '@kontor/protocol';
import { saveSetting } from '../../data/settings.ts';
import { createStore, useStorePart } from '../../state/store.ts';
import type { BoardColumn } from './board.ts';

type Choices = Readonly<Record<string, boolean>>;

/** Columns that were folded or opened on this page, by screen; the others are as the server says. */
const choices = createStore<Readonly<Record<string, Choices>>>({});
const none: Choices = {};

export interface Folding {
  isFolded(column: BoardColumn): boolean;
  toggle(column: BoardColumn): void;
}

/** Which columns a person keeps folded; kept on the server, as widths of list columns are. */
export function useFolding({ arch, model }: WorkspacePayload): Folding {
  const place = arch.key ?? model;
  const mine = useStorePart(choices, (all) => all[place] ?? none);
  const keyOf = (column: BoardColumn) => JSON.stringify([arch.kanban?.groupField ?? null, column.value]);
  const isFolded = (column: BoardColumn) => mine[keyOf(column)] ?? column.fold;
  return {
    isFolded,
    toggle(column) {
      const next = { ...mine, [keyOf(column)]: !isFolded(column) };
      choices.set((all) => ({ ...all, [place]: next }));
      saveSetting(`folds:${place}`, next, { isMerged: true });
    },
  };
}
