import { createContext, useContext, useEffect, useMemo, useRef } from 'react';
import {
  type navigate,
  openRecord,
  prefetchRecord,
  recall,
  recordHref,
  type SearchState,
  showError,
  type Values,
  type WorkspacePayload,
} from '../../door/index.ts';
import type { Column, Columns } from '../table/columns.ts';
import { nextCell } from '../table/keys.ts';
import { canEditCell } from './can-edit.ts';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { Selection } from './use-selection.ts';

/** What rows need. The functions never change, so that a row renders again only for its own changes. */
export interface RowContent {
  /** Without records, counts and totals. */
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly columns: readonly Column[];
  readonly actions: ListActions;
}

/** What the other parts of a list need. */
export interface ListContent extends RowContent {
  readonly hasSelection: boolean;
}

/** The cell being edited. */
export interface EditedCell {
  readonly id: number;
  readonly column: string;
  /** A rejected value, why it was rejected, and the value that it was compared with. */
  readonly refused?: {
    readonly value: unknown;
    readonly shown: Values;
    readonly problem: string;
    readonly base: unknown;
  };
}

interface ListActions {
  open(id: number): void;
  openTab(id: number): void;
  /** Prefetches the form of the record under the pointer. `isMoving`: the list scrolled it there. */
  prefetch(id: number, isMoving: boolean): void;
  select(id: number, isRange: boolean): void;
  /** Starts editing a cell, or ends it with null. */
  edit(cell: EditedCell | null): void;
  /** Opens a cell again whose value was rejected: at once, or after the cell that is being edited now. */
  takeBack(cell: EditedCell, error: unknown): void;
  /** Edits the next editable cell, or the previous one with -1; ends editing at the last. */
  editNext(from: { id: number; column: string }, step: 1 | -1): void;
  /** After Enter has saved a cell: moves the focus to the cell below. */
  leaveEdit(row: number, column: number): void;
  openMenu(id: number, anchor: HTMLElement): void;
  toggleGroup(key: string): void;
  focus(row: number, column: number): void;
  /** The records that a cell edit applies to: the selection, if the row is part of it. */
  targets(id: number): readonly number[];
}

const Content = createContext<ListContent | null>(null);
export const ListProvider = Content.Provider;
const OfRows = createContext<RowContent | null>(null);
export const RowsProvider = OfRows.Provider;

export function useRows(): RowContent {
  const content = useContext(OfRows);
  if (!content) throw new Error('A row stands outside of a list.');
  return content;
}

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
  readonly editing: EditedCell | null;
  readonly setEditing: (cell: EditedCell | null) => void;
}

/** Functions for the rows that never change; they look up the current state when called. */
export function useListActions(state: ListState): ListActions {
  const now = useRef(state);
  now.current = state;
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useMemo((): ListActions => {
    const refused: EditedCell[] = [];
    const edit = (cell: EditedCell | null) => now.current.setEditing(cell ?? refused.shift() ?? null);
    return {
      open(id) {
        const { search, workspace, rows, active } = now.current;
        active.stay(Math.max(0, rows.indexOf(id)));
        openRecord(search, workspace, id, now.current.go);
      },
      openTab: (id) => window.open(recordHref(now.current.search, now.current.workspace, id), '_blank', 'noopener'),
      prefetch: (id, isMoving) => prefetchSoon(now.current, id, isMoving),
      select: (id, isRange) => now.current.selection.toggle(id, isRange, now.current.rows.ids),
      edit,
      takeBack(cell, error) {
        if (!isHere.current) return showError(error);
        if (now.current.editing === null) return edit(cell);
        showError(error);
        refused.push(cell);
      },
      editNext: (from, step) => edit(nextEdited(now.current, from, step)),
      leaveEdit(row, column) {
        const isNext = refused.length > 0;
        edit(null);
        if (!isNext) now.current.active.move(Math.min(row + 1, now.current.rows.count - 1), column);
      },
      openMenu: (id, anchor) => now.current.setMenu({ id, anchor }),
      toggleGroup: (key) => now.current.rows.toggleGroup(key),
      focus: (row, column) => now.current.active.move(row, column),
      targets(id) {
        const { ids } = now.current.selection;
        return ids.has(id) && ids.size > 1 ? [...ids] : [id];
      },
    };
  }, []);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Waits a moment, so that a pointer passing by loads nothing; longer if rows scroll under a resting pointer. */
function prefetchSoon({ search, workspace }: ListState, id: number, isMoving: boolean): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => prefetchRecord(search, workspace, id), isMoving ? 500 : 80);
}

/** The next editable cell. */
function nextEdited(
  { rows, columns: { shown }, workspace }: ListState,
  from: { readonly id: number; readonly column: string },
  step: 1 | -1,
): EditedCell | null {
  const recordAt = (index: number) => {
    const row = rows.at(index);
    return row.kind === 'record' ? recall(workspace.model, row.id) : undefined;
  };
  const start = { row: rows.indexOf(from.id), column: shown.findIndex(({ name }) => name === from.column) };
  const size = { rows: start.row < 0 ? 0 : rows.count, columns: shown.length };
  const next = nextCell(start, step, size, (place) => {
    const [record, column] = [recordAt(place.row), shown[place.column]];
    return record !== undefined && column !== undefined && canEditCell(workspace.arch, column, record);
  });
  const [id, column] = next ? [recordAt(next.row)?.id, shown[next.column]?.name] : [];
  return id === undefined || column === undefined ? null : { id, column };
}
