import type { MouseEvent, PointerEvent } from 'react';
import { recall } from '../../data/records.ts';
import { canEditCell } from './can-edit.ts';
import type { ListContent } from './list-context.ts';
import type { Row, Rows } from './rows.ts';

/** The strip at the end of a cell that shows the pencil. */
const pencilWidth = 28;

/** What a click in the rows means: it opens the record, unless it hits something of its own. */
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
  const isModified = event.ctrlKey || event.metaKey || event.shiftKey;
  if (target.closest('a')) {
    // A plain click on the name keeps the way back here; all others are the browser's.
    if (!isModified && target.closest('.list-link')) event.preventDefault();
    else return;
  } else if (isModified) return actions.select(row.id, event.shiftKey);
  const column = clickedColumn(event, row.id, list);
  if (column) return actions.edit({ id: row.id, column });
  if (!window.getSelection()?.toString()) actions.open(row.id);
}

/** A pointer that rests on a row may open it soon. */
export function hoverRows(event: PointerEvent, rows: Rows, { actions }: ListContent): void {
  const row = rowOf(event.target as Element, rows);
  if (row?.kind === 'record') actions.prefetch(row.id);
}

/** The cell that the click wants to edit: by its pencil, or anywhere in lists made for it and while rows are selected. */
function clickedColumn(
  event: MouseEvent,
  id: number,
  { workspace, columns, hasSelection }: ListContent,
): string | null {
  const cell = (event.target as Element).closest<HTMLElement>('[data-col]');
  const column = columns[Number(cell?.dataset.col)];
  const record = recall(workspace.model, id);
  if (!cell || !column || !record || !canEditCell(workspace.arch, column, record)) return null;
  const isAnywhere = cell.dataset.col !== '0' && (workspace.arch.list?.editable !== undefined || hasSelection);
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
