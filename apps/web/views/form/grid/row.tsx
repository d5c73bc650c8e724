import { fieldType } from '@kontor/protocol';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react';
import { holds } from '../../../data/conditions.ts';
import { isSameValue } from '../../../data/form/form-state.ts';
import type { Line } from '../../../data/form/lines.ts';
import { useRecordParts } from '../../../data/record-parts.ts';
import type { RecordValues } from '../../../data/rpc.ts';
import { announce } from '../../../data/toasts.ts';
import { ValueRead } from '../../../fields/registry.tsx';
import { t, tn } from '../../../i18n/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { RowWindow } from '../../../ui/use-window.ts';
import type { Column } from '../../table/columns.ts';
import type { GridTrack } from './columns.ts';
import { type CellPlace, firstColumn, type GridContext, headingKind, useGrid } from './grid-context.ts';
import { ownText } from './own-text.ts';

interface RowProps {
  readonly line: Line;
  readonly row: number;
  /** The column that has the focus, or -1. */
  readonly active: number;
  /** Where Tab enters the grid. */
  readonly isEntry: boolean;
  readonly isLifted: boolean;
  /** Of a heading: a record with what its lines come to. */
  readonly total?: RecordValues | undefined;
  /** Where only lines in sight are drawn: told of its height. */
  readonly measure?: RowWindow['measure'] | undefined;
}

/** Draws again only when its own line, or the focus in it, changes. */
export const GridRow = memo(function GridRow({ line, row, active, isEntry, isLifted, total, measure }: RowProps) {
  const grid = useGrid();
  const { choice, actions, hasGrip, openLine, isEditable } = grid;
  const opens = !isEditable && openLine !== null;
  const kind = headingKind(grid, line);
  const recordFor = useRecordParts();
  const cellOf: CellOf = (column, at, place) => (
    <GridCell
      key={column.name}
      lineKey={line.key}
      isNew={line.isNew}
      values={recordFor(line.values, column.name)}
      was={textBefore(line, column)}
      row={row}
      at={at}
      column={column}
      isActive={active === at}
      {...place}
    />
  );
  return (
    <div
      ref={measure}
      role="row"
      tabIndex={-1}
      aria-rowindex={row + 2}
      data-index={row}
      data-drag-item={line.key}
      className={`grid-row ${line.isNew ? 'grid-new' : ''} ${isLifted ? 'is-lifted' : ''} ${opens ? 'grid-opens' : ''}`}
      onClick={opens ? () => openLine(line) : undefined}
    >
      {hasGrip && (
        <div
          role="gridcell"
          tabIndex={active >= 0 || isLifted ? 0 : -1}
          className="grid-grip"
          data-drag-handle
          aria-label={t('Line {n}: drag to move, or Alt and an arrow key', { n: row + 1 })}
        >
          <Icon name="grip-vertical" />
        </div>
      )}
      {kind ? (
        <HeadingCells kind={kind} total={total} cellOf={cellOf} />
      ) : (
        choice.tracks.map((track) => <TrackCells key={track.at} track={track} isEntry={isEntry} cellOf={cellOf} />)
      )}
      <div role="gridcell" tabIndex={-1} className="grid-end">
        {openLine && isEditable ? (
          <IconButton
            icon="external-link"
            size={14}
            tabIndex={-1}
            label={t('Open line {n}', { n: row + 1 })}
            onClick={() => openLine(line)}
          />
        ) : null}
        {grid.canDelete && (
          <IconButton
            icon="x"
            size={14}
            tabIndex={-1}
            label={t('Delete line {n}', { n: row + 1 })}
            onClick={(event) => {
              event.stopPropagation();
              actions.remove(line.key);
            }}
          />
        )}
      </div>
    </div>
  );
});

/** What a cell is told by where it stands in its line. */
type CellInTrack = Pick<CellProps, 'main' | 'isStacked' | 'isEntry'>;
type CellOf = (column: Column, at: number, place: CellInTrack) => ReactNode;

interface HeadingProps {
  readonly kind: 'section' | 'note';
  readonly total: RecordValues | undefined;
  readonly cellOf: CellOf;
}

/** The words of a heading or a note over the whole line; a heading tells what its lines come to. */
function HeadingCells({ kind, total, cellOf }: HeadingProps) {
  const { headings, columns, choice, model } = useGrid();
  const at = headings?.column ?? 0;
  const column = columns[at];
  const amount = columns.find(({ name }) => name === choice.amount);
  if (!column) return null;
  return (
    <div
      role="presentation"
      className={`grid-heading grid-${kind}`}
      style={{ '--span': choice.tracks.length } as React.CSSProperties}
    >
      {cellOf(column, at, { main: null, isStacked: true, isEntry: false })}
      {total && amount && kind === 'section' && (
        <div role="gridcell" tabIndex={-1} className="grid-cell grid-fixed num">
          <ValueRead field={amount.field} node={amount.node} model={model} record={total} place="grid" />
        </div>
      )}
    </div>
  );
}

interface TrackProps {
  readonly track: GridTrack;
  readonly isEntry: boolean;
  readonly cellOf: CellOf;
}

/** The cells of columns that share one. */
function TrackCells({ track, isEntry, cellOf }: TrackProps) {
  const { columns, at, isStacked } = track;
  const cells = columns.map((column, part) => {
    const main = part > 0 ? columns[0] : null;
    return cellOf(column, at + part, { main, isStacked, isEntry: isEntry && at + part === 0 });
  });
  if (columns.length === 1) return cells;
  return (
    <div role="presentation" className={isStacked ? 'grid-stack' : 'grid-pair'}>
      {cells}
    </div>
  );
}

interface CellProps {
  readonly lineKey: number;
  readonly isNew: boolean;
  readonly values: RecordValues;
  /** What it showed before it was changed; null: it was not. */
  readonly was: string | null;
  readonly row: number;
  readonly at: number;
  readonly column: Column;
  /** The column whose cell it shares. */
  readonly main: Column | null;
  /** What stands below or above it must not move while it is edited. */
  readonly isStacked: boolean;
  readonly isActive: boolean;
  readonly isEntry: boolean;
}

/** A cell is edited as soon as it has the focus. */
const GridCell = memo(function GridCell(props: CellProps) {
  const { lineKey, isNew, values, row, at, column, main, isStacked, isActive, isEntry } = props;
  const grid = useGrid();
  const place = { row, column: at };
  const { field, node, widget, label } = column;
  const cell = useRef<HTMLDivElement>(null);
  const isHidden = holds(node.invisible, values);
  const isKept = !isNew && !grid.canWrite;
  const isFixed = !grid.isEditable || isKept || field.readonly || widget.Edit === null || holds(node.readonly, values);
  const isEditing = isActive && !isFixed && !isHidden;
  const isDirect = widget.isDirect === true && !isFixed && !isHidden;
  useEffect(() => {
    if (isActive && !cell.current?.contains(document.activeElement)) {
      const control = cell.current?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]');
      (control ?? cell.current)?.focus();
    }
  }, [isActive]);
  const own = main && fieldType(field.type).isText ? ownText(textOf(values, column), textOf(values, main)) : null;
  const value = own ? own.shown : values[field.name];
  const common = { field, node, model: grid.model, value, record: values, place: 'grid' as const };
  const { Read, Edit } = widget;
  const isNone = node.placeholder !== undefined && !isEditing && (own ? own.shown : textOf(values, column)) === '';
  const was = isFixed || isHidden ? null : props.was;
  const looks = [
    'grid-cell',
    was === null ? '' : 'grid-changed',
    main ? 'grid-part' : '',
    column.isEnd ? 'num' : '',
    isEditing ? 'grid-edit' : '',
    isFixed ? 'grid-fixed' : '',
    isNone ? 'grid-none' : '',
    column.name === grid.choice.amount ? 'grid-amount' : '',
  ];
  return (
    <div
      ref={cell}
      role="gridcell"
      aria-readonly={isFixed || undefined}
      tabIndex={isEditing ? undefined : isActive || isEntry ? 0 : -1}
      data-label={label}
      title={was === null ? undefined : t('Was: {value}', { value: was || t('empty') })}
      className={looks.filter(Boolean).join(' ')}
      onFocus={() => isActive || grid.go(place)}
      onClick={() => isActive || (grid.isEditable && grid.go(place))}
      onKeyDown={(event) => onCellKey(event, grid, place)}
    >
      {isEditing && isStacked && (
        <span className="grid-value grid-sizer" aria-hidden="true">
          {own ? own.shown : textOf(values, column)}
          {'\u200b'}
        </span>
      )}
      {isHidden ? null : (isEditing || isDirect) && Edit ? (
        <Edit
          {...common}
          id={`${grid.model}-${lineKey}-${field.name}`}
          label={t('{label}, line {n}', { label, n: row + 1 })}
          isRequired={field.required}
          isInvalid={false}
          hasAutoFocus={isEditing}
          domain={node.domain ?? field.domain}
          onChange={(next, shown) => {
            const whole = own ? own.whole(String(next ?? '')) || null : next;
            grid.actions.change(lineKey, { [field.name]: whole, ...shown });
          }}
        />
      ) : (
        <span className="grid-value">{isNone && !isFixed ? node.placeholder : <Read {...common} />}</span>
      )}
    </div>
  );
});

/** What the cell showed before it was changed; null: it was not. */
function textBefore({ before, values }: Line, column: Column): string | null {
  if (!before || isSameValue(before[column.name], values[column.name])) return null;
  return textOf(before, column);
}

/** As the widget shows it. */
function textOf(record: RecordValues, { field, node, widget, name }: Column): string {
  return widget.toText({ field, node, model: '', value: record[name], record, place: 'grid' });
}

/** Tab and Enter walk, arrows go up and down, Ctrl+D doubles the line, Ctrl+Shift+D fills down, Ctrl+Delete takes it away. */
function onCellKey(event: KeyboardEvent, grid: GridContext, place: CellPlace): void {
  const line = event.defaultPrevented ? undefined : grid.actions.lines()[place.row];
  if (!line) return;
  const next = nextPlace(event, grid, line, place);
  if (next === undefined) return;
  const isWords = next !== null && headingKind(grid, grid.actions.lines()[next.row]) !== null;
  grid.go(isWords ? { ...next, column: grid.headings?.column ?? 0 } : next);
}

/** Where a key leads; undefined: nowhere, null: out of the grid. */
function nextPlace(
  event: KeyboardEvent,
  grid: GridContext,
  line: Line,
  { row, column }: CellPlace,
): CellPlace | null | undefined {
  const { actions, columns } = grid;
  const count = actions.lines().length;
  const isCommand = event.ctrlKey || event.metaKey;
  const done = () => event.preventDefault();
  if (event.key === 'Tab' && !isCommand && !event.altKey) {
    const step = event.shiftKey ? -1 : 1;
    const isLast = headingKind(grid, line) !== null || !columns[column + step];
    const to = isLast ? row + step : row;
    if (to < 0 || to >= count) return null;
    done();
    return { row: to, column: isLast ? (step > 0 ? 0 : columns.length - 1) : column + step };
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    done();
    if (!grid.isEditable) {
      grid.openLine?.(line);
      return undefined;
    }
    if (row + 1 < count) return { row: row + 1, column };
    if (!grid.canCreate) return undefined;
    const key = actions.add();
    return { row: actions.lines().findIndex((one) => one.key === key), column: firstColumn(grid) };
  }
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const to = row + (event.key === 'ArrowDown' ? 1 : -1);
    if (event.altKey || !mayLeave(event.target as HTMLElement)) return undefined;
    if (to < 0 || to >= count) return undefined;
    done();
    return { row: to, column };
  }
  if (isCommand && event.shiftKey && event.key.toLowerCase() === 'd' && grid.isEditable) {
    done();
    fillDown(grid, { row, column });
    return undefined;
  }
  if (isCommand && event.key.toLowerCase() === 'd' && grid.canCreate) {
    done();
    const key = actions.duplicate(line.key);
    return { row: actions.lines().findIndex((one) => one.key === key), column };
  }
  if (isCommand && event.key === 'Delete' && grid.canDelete) {
    done();
    actions.remove(line.key);
    return count > 1 ? { row: Math.min(row, count - 2), column } : null;
  }
  return undefined;
}

/** The value of a cell in all lines below it that can take it. */
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

/** Choices and long texts need the arrows for themselves. */
function mayLeave(target: HTMLElement): boolean {
  if (target.tagName === 'SELECT' || target.tagName === 'TEXTAREA' || target.isContentEditable) return false;
  return target.getAttribute('role') !== 'combobox' && !/date|time/.test(target.getAttribute('type') ?? '');
}
