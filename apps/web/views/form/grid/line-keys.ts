import type { KeyboardEvent } from 'react';
import { announce, holds, type Line, tn } from '../../../door/index.ts';
import { type CellPlace, cellAfterKey, nextCell } from '../../table/keys.ts';
import { firstColumn, type GridContext, headingKind } from './grid-context.ts';

/**
 * Tab and Enter move on, arrows move up and down, Ctrl+D duplicates the line, Ctrl+Shift+D fills down, Ctrl+Delete
 * removes it.
 */
export function onCellKey(event: KeyboardEvent, grid: GridContext, place: CellPlace): void {
  const line = event.defaultPrevented ? undefined : grid.actions.lines()[place.row];
  if (!line) return;
  const command = commandOf(event, grid);
  if (command) event.preventDefault();
  const next = command ? runCommand(command, grid, line, place) : walk(event, grid, line, place);
  if (next === undefined) return;
  const isWords = next !== null && headingKind(grid, grid.actions.lines()[next.row]) !== null;
  grid.go(isWords ? { ...next, column: grid.headings?.column ?? 0 } : next);
}

/** The cell that a key moves to; undefined: no move, null: out of the grid. */
type Next = CellPlace | null | undefined;

function walk(event: KeyboardEvent, grid: GridContext, line: Line, place: CellPlace): Next {
  const { actions, columns } = grid;
  const size = { rows: actions.lines().length, columns: columns.length };
  if (event.key === 'Tab' && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const next = nextCell(place, event.shiftKey ? -1 : 1, size, (to) => isStop(grid, to));
    if (next) event.preventDefault();
    return next;
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    return enter(grid, line, place);
  }
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  if (!isArrow || event.altKey || !mayLeave(event.target as HTMLElement)) return undefined;
  const next = cellAfterKey({ key: event.key, isJump: false, page: 1 }, place, size);
  if (next?.row === place.row) return undefined;
  event.preventDefault();
  return next;
}

/** In a heading, only the text is a cell. */
function isStop(grid: GridContext, { row, column }: CellPlace): boolean {
  return headingKind(grid, grid.actions.lines()[row]) === null || column === grid.headings?.column;
}

/** To the line below, or to a new line after the last one. */
function enter(grid: GridContext, line: Line, { row, column }: CellPlace): Next {
  const { actions, isEditable, canCreate, openLine } = grid;
  if (!isEditable) {
    openLine?.(line);
    return undefined;
  }
  if (row + 1 < actions.lines().length) return { row: row + 1, column };
  return canCreate ? { row: rowOf(grid, actions.add()), column: firstColumn(grid) } : undefined;
}

function rowOf({ actions }: GridContext, key: number): number {
  return actions.lines().findIndex((line) => line.key === key);
}

type Command = 'fill' | 'duplicate' | 'remove';

function commandOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, grid: GridContext): Command | null {
  if (!ctrlKey && !metaKey) return null;
  if (key === 'Delete') return grid.canDelete ? 'remove' : null;
  if (key.toLowerCase() !== 'd') return null;
  if (shiftKey && grid.isEditable) return 'fill';
  return grid.canCreate ? 'duplicate' : null;
}

function runCommand(command: Command, grid: GridContext, line: Line, place: CellPlace): Next {
  const { actions } = grid;
  const { row, column } = place;
  if (command === 'fill') {
    fillDown(grid, place);
    return undefined;
  }
  if (command === 'duplicate') return { row: rowOf(grid, actions.duplicate(line.key)), column };
  const count = actions.lines().length;
  actions.remove(line.key);
  return count > 1 ? { row: Math.min(row, count - 2), column } : null;
}

/** Copies a cell's value to all lines below that accept it. */
function fillDown(grid: GridContext, { row, column }: CellPlace): void {
  const filled = grid.columns[column];
  const lines = grid.actions.lines();
  const from = lines[row]?.values;
  if (!filled || !from || filled.field.readonly) return;
  const shown = `${filled.name}.display_name`;
  const values = { [filled.name]: from[filled.name] ?? null, ...(shown in from ? { [shown]: from[shown] } : {}) };
  const open = lines
    .slice(row + 1)
    .filter((line) => (line.isNew || grid.canWrite) && !holds(filled.node.readonly, line.values));
  for (const line of open) grid.actions.change(line.key, values);
  announce(tn('{n} line filled', '{n} lines filled', open.length));
}

/** Selections and multi-line texts use the arrow keys themselves. */
function mayLeave(target: HTMLElement): boolean {
  if (target.tagName === 'SELECT' || target.tagName === 'TEXTAREA' || target.isContentEditable) return false;
  return target.getAttribute('role') !== 'combobox' && !/date|time/.test(target.getAttribute('type') ?? '');
}
