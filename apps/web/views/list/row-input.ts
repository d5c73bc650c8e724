import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { isTyping, readingKey, recall } from '../../door/index.ts';
import type { Columns } from '../table/columns.ts';
import { type CellPlace, cellAfterKey } from '../table/keys.ts';
import { canEditCell } from './can-edit.ts';
import { type ListContent, useList } from './list-context.ts';
import type { Row, Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { Selection } from './use-selection.ts';

interface GridKeys {
  readonly rows: Rows;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly active: ActiveCell;
  /** Rows per page. */
  readonly page: number;
  readonly scroll: RefObject<HTMLElement | null>;
  /** Scrolls a row into view. */
  readonly show: (index: number) => void;
}

/** Keyboard navigation of the grid, and the focus that follows it. */
export function useGridKeys(grid: GridKeys): (event: KeyboardEvent) => void {
  const { active, scroll, show } = grid;
  const list = useList();
  const followed = useRef(0);
  useLayoutEffect(() => {
    if (followed.current === active.moves) return;
    const { row, column } = active.cell;
    show(row);
    const cells = scroll.current?.querySelectorAll<HTMLElement>(`[data-row="${row}"] [data-col]`);
    const cell = cells?.[Math.min(column, (cells?.length ?? 1) - 1)];
    if (!cell) return;
    followed.current = active.moves;
    cell.focus({ preventScroll: true });
  });
  useKeysFromAnywhere(active);
  return (event) => {
    if ((event.target as Element).closest('thead, .list-end, .list-check')) return;
    const place = moveTo(event, grid);
    if (place) {
      event.preventDefault();
      if (event.shiftKey && place.row !== active.cell.row) extend(grid, place.row);
      active.move(place.row, place.column);
    } else if (act(event, grid, list)) event.preventDefault();
  };
}

const letters: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' };
const isStep = (key: string) => key === 'ArrowDown' || key === 'ArrowUp' || key in letters;

/** The first arrow key enters the list if nothing else has the focus. */
function useKeysFromAnywhere({ cell, move }: ActiveCell): void {
  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (!isPlain || event.target !== document.body || !isStep(event.key)) return;
      event.preventDefault();
      move(cell.row, cell.column);
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, [cell, move]);
}

function moveTo(event: KeyboardEvent, { rows, columns, active, page }: GridKeys): CellPlace | null {
  const isJump = event.ctrlKey || event.metaKey;
  const letter = isJump || isTyping(event.nativeEvent) ? undefined : letters[event.key];
  const key = letter ?? readingKey(event.key);
  // On a group, they expand and collapse it.
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
  if (event.altKey || (isSideways && rows.at(active.cell.row).kind === 'group')) return null;
  return cellAfterKey({ key, isJump, page }, active.cell, { rows: rows.count, columns: columns.shown.length });
}

/** Shift+arrow adds the next row to the selection. */
function extend({ rows, selection, active }: GridKeys, next: number): void {
  const chosen = [rows.at(active.cell.row), rows.at(next)].flatMap((row) => (row.kind === 'record' ? [row.id] : []));
  selection.set([...selection.ids, ...chosen]);
}

function act(event: KeyboardEvent, grid: GridKeys, { actions, workspace }: ReturnType<typeof useList>): boolean {
  const { rows, columns, selection, active } = grid;
  const row = rows.at(active.cell.row);
  const { key } = event;
  if (key === 'a' && (event.ctrlKey || event.metaKey)) return done(selection.set(rows.ids));
  if (key === 'Escape' && selection.ids.size > 0) return done(selection.clear());
  if (row.kind === 'group') {
    const isToggle = key === 'Enter' || key === ' ' || readingKey(key) === (row.isOpen ? 'ArrowLeft' : 'ArrowRight');
    return isToggle && done(actions.toggleGroup(row.key));
  }
  if (row.kind !== 'record') return false;
  if (key === ' ') return done(actions.select(row.id, event.shiftKey));
  const record = recall(workspace.model, row.id);
  const column = columns.shown[active.cell.column];
  const isEditable = record && column && canEditCell(workspace.arch, column, record);
  // As with the mouse: the name opens the record, every other cell of an editable list starts editing.
  const isEntered = key === 'Enter' && workspace.arch.list?.editable !== undefined && !column?.isMain;
  const wantsEdit = key === 'F2' || key === 'e' || isEntered;
  if (wantsEdit && isEditable && !event.ctrlKey && !event.metaKey) {
    return done(actions.edit({ id: row.id, column: column.name }));
  }
  return key === 'Enter' && done(actions.open(row.id));
}

function done(_result: unknown): true {
  return true;
}

/** Width of the pencil icon at the end of a cell. */
const pencilWidth = 28;

const middleButton = 1;

/** A click opens the record unless it hits a control; with Ctrl or the middle button, in a new tab. */
export function clickRows(event: MouseEvent, rows: Rows, list: ListContent) {
  const target = event.target as Element;
  const row = rowOf(target, rows);
  if (!row || event.defaultPrevented) return;
  const { actions } = list;
  if (row.kind === 'group') return actions.toggleGroup(row.key);
  if (row.kind !== 'record') return;
  const button = target.closest<HTMLElement>('[data-menu]');
  if (button) return actions.openMenu(row.id, button);
  if (target.closest('.list-edit, .list-draft, .list-check, .list-end, [data-direct]')) return;
  const isTab = event.ctrlKey || event.metaKey || event.button === middleButton;
  if (target.closest('a')) {
    // A plain click on the name navigates in the client, which keeps the breadcrumbs; the browser handles all others.
    if (!isTab && !event.shiftKey && target.closest('.list-link')) event.preventDefault();
    else return;
  } else if (isTab) return actions.openTab(row.id);
  else if (event.shiftKey) return actions.select(row.id, true);
  const column = clickedColumn(event, row.id, list);
  if (column) return actions.edit({ id: row.id, column });
  if (!window.getSelection()?.toString()) actions.open(row.id);
}

/** Prefetches the row that the pointer rests on. */
export function hoverRows(event: PointerEvent, rows: Rows, { actions }: ListContent, isMoving: boolean): void {
  const row = rowOf(event.target as Element, rows);
  if (row?.kind === 'record') actions.prefetch(row.id, isMoving);
}

/** The cell that a click edits: through its pencil, or anywhere in editable lists and while rows are selected. */
function clickedColumn(
  event: MouseEvent,
  id: number,
  { workspace, columns, hasSelection }: ListContent,
): string | null {
  const cell = (event.target as Element).closest<HTMLElement>('[data-col]');
  const column = columns[Number(cell?.dataset.col)];
  const record = recall(workspace.model, id);
  if (!cell || !column || !record || !canEditCell(workspace.arch, column, record)) return null;
  const isAnywhere = !column.isMain && (workspace.arch.list?.editable !== undefined || hasSelection);
  return isAnywhere || isOnPencil(event, cell) ? column.name : null;
}

function isOnPencil(event: MouseEvent, cell: HTMLElement): boolean {
  const { left, right } = cell.getBoundingClientRect();
  const isAtStart = cell.classList.contains('num') !== (document.documentElement.dir === 'rtl');
  return isAtStart ? event.clientX < left + pencilWidth : event.clientX > right - pencilWidth;
}

function rowOf(target: Element, rows: Rows): Row | null {
  const line = target.closest<HTMLElement>('[data-row]');
  return line ? rows.at(Number(line.dataset.row)) : null;
}
