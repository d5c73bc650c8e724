import type { KeyboardEvent } from 'react';
import { type Analysis, announce, type Domain, drawnDomain, formatFigure, openRecords, t } from '../../door/index.ts';
import { figureText, nodeLabel, valueAt } from './figure-text.ts';
import type { GridProps, Layout, Place, ShownPivot, Target, Unit } from './grid-props.ts';
import type { Axis, AxisNode } from './pivot-table.ts';
import { nextOrder } from './state.ts';

export function targetAt(
  { analysis, shown }: Pick<GridProps, 'analysis' | 'shown'>,
  place: Place,
  { units }: Layout,
): Target {
  const { arch } = analysis.workspace;
  const row = shown.rows[Math.max(0, place.row)]?.node ?? shown.table.rows;
  const index = Math.max(0, Math.floor(place.column / units.length));
  const level = shown.across.levels + 1 + place.row;
  const over = place.row < -1 ? headCellAt(shown, index, level)?.node : undefined;
  const column = over ?? shown.across.columns[index]?.node ?? shown.table.columns;
  const measure = (units[Math.max(0, place.column) % units.length] as Unit).measure;
  const kind = place.row < -1 ? 'column' : place.row === -1 ? 'measure' : place.column < 0 ? 'row' : 'figure';
  const names = {
    row: nodeLabel(arch, analysis.groupBy, row),
    column: nodeLabel(arch, analysis.columns, column),
  };
  const label = kind === 'figure' ? `${names.row} × ${names.column}` : kind === 'row' ? names.row : names.column;
  return { row, column, measure, kind, label };
}

export function headCellAt({ across }: ShownPivot, column: number, level: number) {
  return across.head.find(
    (cell) => cell.from <= column && column < cell.to && cell.level <= level && level < cell.level + cell.levels,
  );
}

/** The action of a key at a cell; null if there is none. */
export function keyAct(
  event: KeyboardEvent,
  props: GridProps,
  target: Target,
  openMenu: () => void,
): (() => void) | null {
  const { analysis, toggle, order, setOrder } = props;
  const { row, column, measure, kind } = target;
  const domain = domainAt(props, target);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return openMenu;
  if (event.key === 'Enter' && isPlain) {
    if (kind === 'measure') return () => setOrder({ ...order, rows: nextOrder(order.rows, measure.name, column.key) });
    return domain ? () => openRecords(analysis, domain) : null;
  }
  if (event.key === ' ' && isPlain) {
    const axis: Axis = kind === 'column' || kind === 'measure' ? 'columns' : 'rows';
    const node = axis === 'rows' ? row : column;
    return canOpen(analysis, axis, node) ? () => toggle(axis, node) : openMenu;
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c') {
    return () => copyFigure(props, target);
  }
  if (!isPlain) return null;
  if (event.key.toLowerCase() === 'f' && domain && kind === 'figure') return () => filterTo(analysis, domain);
  return event.key.toLowerCase() === 's' ? props.swap : null;
}

/** The records behind a figure or a group. */
export function domainAt({ analysis, shown }: GridProps, { row, column, measure, kind }: Target): Domain | null {
  if (kind === 'row') return row.row?.__domain ?? null;
  if (kind === 'column') return column.row?.__domain ?? null;
  const figure = shown.table.figure(row, column);
  return figure ? drawnDomain(figure, analysis, measure) : null;
}

export function canOpen({ groupBy, columns }: Analysis, axis: Axis, node: AxisNode): boolean {
  const groups = axis === 'rows' ? groupBy : columns;
  return node.path.length > 0 && node.path.length < groups.length && node.children?.length !== 0;
}

/** Adds the conditions of the figure to the search. */
export function filterTo(analysis: Analysis, domain: readonly unknown[]): void {
  const base = analysis.workspace.arch.domain?.length ?? 0;
  const added = domain.slice(base) as typeof analysis.search.domain;
  analysis.change({ domain: [...analysis.search.domain, ...added] });
}

export function copyFigure({ analysis, shown, share }: GridProps, target: Target): void {
  const { arch } = analysis.workspace;
  const place = { table: shown.table, row: target.row, column: target.column };
  const text =
    share === 'value'
      ? formatFigure(arch, target.measure, valueAt(place, target.measure), target.measure.code)
      : figureText(arch, place, target.measure, share);
  void navigator.clipboard?.writeText(text).then(() => announce(t('Copied')));
}
