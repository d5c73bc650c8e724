import type { WorkspacePayload } from '@kontor/protocol';
import { createContext, useContext, useMemo, useRef } from 'react';
import { recall } from '../../data/records.ts';
import type { navigate } from '../../navigation/router.ts';
import type { SearchState } from '../../search/search-state.ts';
import { openRecord, prefetchRecord, recordHref } from '../open-record.ts';
import { canEditCell } from './can-edit.ts';
import type { Column, Columns } from './columns.ts';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { Selection } from './use-selection.ts';

/** What rows need. The functions never change, so that a row renders again only for its own changes. */
export interface ListContent {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly columns: readonly Column[];
  readonly hasSelection: boolean;
  readonly actions: ListActions;
}

interface ListActions {
  open(id: number): void;
  openTab(id: number): void;
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
}

const Content = createContext<ListContent | null>(null);
export const ListProvider = Content.Provider;

export function useList(): ListContent {
  const content = useContext(Content);
  if (!content) throw new Error('A part of a list stands outside of one.');
  return content;
}

interface ListState {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly go: typeof navigate;
  readonly rows: Rows;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly active: ActiveCell;
  readonly setMenu: (menu: { id: number; anchor: HTMLElement }) => void;
  readonly setEditing: (cell: { id: number; column: string } | null) => void;
}

/** Functions for the rows that never change; what they work on is looked up when they are called. */
export function useListActions(state: ListState): ListActions {
  const now = useRef(state);
  now.current = state;
  return useMemo(
    (): ListActions => ({
      open(id) {
        const { search, workspace, rows, active } = now.current;
        active.stay(Math.max(0, rows.indexOf(id)));
        openRecord(search, workspace, id, now.current.go);
      },
      openTab: (id) => window.open(recordHref(now.current.search, now.current.workspace, id), '_blank', 'noopener'),
      prefetch: (id) => prefetchSoon(now.current, id),
      select: (id, isRange) => now.current.selection.toggle(id, isRange, now.current.rows.ids),
      edit: (cell) => now.current.setEditing(cell),
      editNext: (from, step) => now.current.setEditing(nextCell(now.current, from, step)),
      leaveEdit(row, column) {
        now.current.setEditing(null);
        now.current.active.move(Math.min(row + 1, now.current.rows.count - 1), column);
      },
      openMenu: (id, anchor) => now.current.setMenu({ id, anchor }),
      toggleGroup: (key) => now.current.rows.toggleGroup(key),
      loadMore: (path) => now.current.rows.loadMore(path),
      focus: (row, column) => now.current.active.move(row, column),
      targets(id) {
        const { ids } = now.current.selection;
        return ids.has(id) && ids.size > 1 ? [...ids] : [id];
      },
    }),
    [],
  );
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Waits a moment, so that a pointer that only passes by loads nothing. */
function prefetchSoon({ search, workspace }: ListState, id: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => prefetchRecord(search, workspace, id), 80);
}

function nextCell(
  { rows, columns, workspace }: ListState,
  from: { id: number; column: string },
  step: 1 | -1,
): { id: number; column: string } | null {
  const names = columns.shown.map(({ name }) => name);
  let row = rows.indexOf(from.id);
  let column = names.indexOf(from.column) + step;
  for (; row >= 0 && row < rows.count; row += step, column = step > 0 ? 0 : names.length - 1) {
    const line = rows.at(row);
    const record = line.kind === 'record' ? recall(workspace.model, line.id) : undefined;
    for (; record && column >= 0 && column < names.length; column += step) {
      const found = columns.shown[column];
      if (found && canEditCell(workspace.arch, found, record)) return { id: record.id, column: found.name };
    }
  }
  return null;
}
