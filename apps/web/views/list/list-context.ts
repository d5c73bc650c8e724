import type { WorkspacePayload } from '@kontor/protocol';
import { createContext, useContext } from 'react';
import type { SearchState } from '../../search/search-state.ts';
import type { Column } from './columns.ts';

/** What every row needs and what it may ask for. The functions never change, so that rows redraw only for their own sake. */
export interface ListContent {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly columns: readonly Column[];
  readonly hasSelection: boolean;
  readonly actions: ListActions;
}

export interface ListActions {
  open(id: number): void;
  prefetch(id: number): void;
  select(id: number, isRange: boolean): void;
  /** Starts editing a cell, or ends it with null. */
  edit(cell: { id: number; column: string } | null): void;
  /** To the next cell that can be edited, backwards with -1; ends at the last. */
  editNext(from: { id: number; column: string }, step: 1 | -1): void;
  /** After a cell was saved by Enter: the focus goes on in the column below. */
  leaveEdit(row: number, column: number): void;
  openMenu(id: number, anchor: HTMLElement): void;
  toggleGroup(key: string): void;
  loadMore(path: string): void;
  focus(row: number, column: number): void;
  /** Records a change of one cell is meant for: the selection, when the row is part of it. */
  targets(id: number): readonly number[];
  moveRow(id: number, steps: number): void;
}

const Content = createContext<ListContent | null>(null);
export const ListProvider = Content.Provider;

export function useList(): ListContent {
  const content = useContext(Content);
  if (!content) throw new Error('A part of a list stands outside of one.');
  return content;
}
