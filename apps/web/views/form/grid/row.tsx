import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import {
  Badge,
  fieldType,
  holds,
  Icon,
  IconButton,
  invalidMessage,
  isSameValue,
  type Line,
  type RecordValues,
  type RowWindow,
  t,
  typedText,
  useRecordParts,
  ValueRead,
} from '../../../door/index.ts';
import { CellControl, takesInput } from '../../table/cell-control.tsx';
import type { Column } from '../../table/columns.ts';
import type { GridTrack } from './columns.ts';
import { headingKind, otherKind, useGrid } from './grid-context.ts';
import { LineButtons } from './line-buttons.tsx';
import { onCellKey } from './line-keys.ts';
import { type OwnText, ownText } from './own-text.ts';

interface RowProps {
  readonly line: Line;
  readonly row: number;
  /** The column that has the focus, or -1. */
  readonly active: number;
  /** Where Tab enters the grid. */
  readonly isEntry: boolean;
  readonly isLifted: boolean;
  /** For a heading: the totals of its lines, as a record. */
  readonly total?: RecordValues | undefined;
  /** For virtual lists: reports the height. */
  readonly measure?: RowWindow['measure'] | undefined;
}

/** Renders again only when its own line, or the focus in it, changes. */
export const GridRow = memo(function GridRow({ line, row, active, isEntry, isLifted, total, measure }: RowProps) {
  const grid = useGrid();
  const { choice, hasGrip, openLine, isEditable } = grid;
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
          className="dim grid-grip middle"
          data-drag-handle
          aria-label={t('Line {n}: drag to move, or Alt and an arrow key', { n: row + 1 })}
        >
          <Icon name="grip-vertical" />
        </div>
      )}
      {kind ? (
        <HeadingCells kind={kind} total={total} cellOf={cellOf} />
      ) : (
        choice.tracks.map((track, at) => (
          <TrackCells key={track.at} {...{ track, isEntry, cellOf }} kind={at === 0 ? otherKind(grid, line) : null} />
        ))
      )}
      <LineEnd line={line} row={row} />
    </div>
  );
});

/** The actions of a line. */
function LineEnd({ line, row }: { readonly line: Line; readonly row: number }) {
  const { openLine, isEditable, canDelete, actions } = useGrid();
  return (
    <div role="gridcell" tabIndex={-1} className="grid-end row gap-0 end">
      <LineButtons line={line} row={row} />
      {openLine && isEditable ? (
        <IconButton
          icon="external-link"
          size={14}
          tabIndex={-1}
          label={t('Open line {n}', { n: row + 1 })}
          onClick={() => openLine(line)}
        />
      ) : null}
      {canDelete && (
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
  );
}

/** Props that depend on the cell's position in its line. */
type CellInTrack = Pick<CellProps, 'main' | 'isStacked' | 'isEntry'>;
type CellOf = (column: Column, at: number, place: CellInTrack) => ReactNode;

interface HeadingProps {
  readonly kind: 'section' | 'note';
  readonly total: RecordValues | undefined;
  readonly cellOf: CellOf;
}

/** A heading or note across the whole line; a heading also shows the total of its lines. */
function HeadingCells({ kind, total, cellOf }: HeadingProps) {
  const { headings, columns, choice, model } = useGrid();
  const at = headings?.column ?? 0;
  const column = columns[at];
  const amount = columns.find(({ name }) => name === choice.amount);
  if (!column) return null;
  return (
    <div
      role="presentation"
      className={`grid-heading line shrink grid-${kind}`}
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
  /** Said below its cells, for a line that is not a regular one. */
  readonly kind: string | null;
}

/** The cells of columns that share a track. */
function TrackCells({ track, isEntry, cellOf, kind }: TrackProps) {
  const { columns, at, isStacked } = track;
  const cells = columns.map((column, part) => {
    const main = part > 0 ? columns[0] : null;
    return cellOf(column, at + part, { main, isStacked, isEntry: isEntry && at + part === 0 });
  });
  if (columns.length === 1 && kind === null) return cells;
  return (
    <div role="presentation" className={isStacked ? 'centre grid-stack column shrink' : 'grid-pair line shrink'}>
      {cells}
      {kind !== null && (
        <span className="pad-x-2 grid-kind">
          <Badge>{kind}</Badge>
        </span>
      )}
    </div>
  );
}

interface CellProps {
  readonly lineKey: number;
  readonly isNew: boolean;
  readonly values: RecordValues;
  /** What it showed before the edit; null if unchanged. */
  readonly was: string | null;
  readonly row: number;
  readonly at: number;
  readonly column: Column;
  /** The column whose cell it shares. */
  readonly main: Column | null;
  /** Its neighbours above and below must not move while it is edited. */
  readonly isStacked: boolean;
  readonly isActive: boolean;
  readonly isEntry: boolean;
}

/** A cell is edited as soon as it has the focus. */
const GridCell = memo(function GridCell(props: CellProps) {
  const { isNew, values, row, at, column, main, isActive, isEntry } = props;
  const grid = useGrid();
  const place = { row, column: at };
  const { field, node, label } = column;
  const cell = useFocus(isActive);
  const isHidden = holds(node.invisible, values);
  const isFixed = !grid.isEditable || (!isNew && !grid.canWrite) || !takesInput(column, values);
  const isEditing = isActive && !isFixed && !isHidden;
  const own = main && fieldType(field.type).isText ? ownText(textOf(values, column), textOf(values, main)) : null;
  const isNone = node.placeholder !== undefined && !isEditing && (own ? own.shown : textOf(values, column)) === '';
  const was = isFixed || isHidden ? null : props.was;
  const wrong = isFixed || isHidden ? null : invalidMessage(field, values[field.name]);
  const looks = [
    'grid-cell',
    was === null ? '' : 'grid-changed',
    main ? 'grid-part' : '',
    column.isEnd ? 'num' : '',
    isEditing ? 'grid-edit' : '',
    isFixed ? 'grid-fixed' : '',
    isNone ? 'grid-none' : '',
    wrong === null ? '' : 'grid-wrong',
    column.name === grid.choice.amount ? 'grid-amount' : '',
  ];
  return (
    <div
      ref={cell}
      role="gridcell"
      aria-readonly={isFixed || undefined}
      tabIndex={isEditing ? undefined : isActive || isEntry ? 0 : -1}
      data-label={label}
      aria-invalid={wrong !== null || undefined}
      title={wrong ?? (was === null ? undefined : t('Was: {value}', { value: was || t('empty') }))}
      className={looks.filter(Boolean).join(' ')}
      onFocus={() => isActive || grid.go(place)}
      onClick={() => isActive || (grid.isEditable && grid.go(place))}
      onKeyDown={(event) => onCellKey(event, grid, place)}
    >
      {wrong !== null && <span className="sr-only">{wrong}</span>}
      {isHidden ? null : isEditing || (column.widget.isDirect && !isFixed) ? (
        <LineControl {...props} own={own} isEditing={isEditing} />
      ) : (
        <span className="grid-value">
          {isNone && !isFixed ? node.placeholder : <LineValue column={column} record={values} own={own} />}
        </span>
      )}
    </div>
  );
});

/** The cell element, which takes the focus when it becomes active. */
function useFocus(isActive: boolean): RefObject<HTMLDivElement | null> {
  const cell = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isActive || cell.current?.contains(document.activeElement)) return;
    const control = cell.current?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]');
    (control ?? cell.current)?.focus();
  }, [isActive]);
  return cell;
}

interface LineValueProps {
  readonly column: Column;
  readonly record: RecordValues;
  /** Set for a description below its name. */
  readonly own: OwnText | null;
}

function LineValue({ column: { field, node, widget }, record, own }: LineValueProps) {
  const { model } = useGrid();
  const typed = typedText(record[field.name]);
  if (typed !== null) return <bdi>{typed}</bdi>;
  return <widget.Read {...{ field, node, model, record }} value={own ? own.shown : record[field.name]} place="grid" />;
}

interface LineControlProps extends CellProps {
  readonly own: OwnText | null;
  readonly isEditing: boolean;
}

function LineControl({ lineKey, values, row, column, isStacked, own, isEditing }: LineControlProps) {
  const { model, actions } = useGrid();
  const { field, node, label, name } = column;
  return (
    <>
      {isEditing && isStacked && (
        <span className="grid-value grid-sizer" aria-hidden="true">
          {own ? own.shown : textOf(values, column)}
          {'\u200b'}
        </span>
      )}
      <CellControl
        {...{ column, model }}
        record={values}
        value={own ? own.shown : values[name]}
        place="grid"
        id={`${model}-${lineKey}-${name}`}
        label={t('{label}, line {n}', { label, n: row + 1 })}
        isRequired={field.required}
        hasAutoFocus={isEditing}
        domain={node.domain ?? field.domain}
        onChange={(next, shown) => {
          const whole = own ? own.whole(String(next ?? '')) || null : next;
          actions.change(lineKey, { [name]: whole, ...shown });
        }}
      />
    </>
  );
}

/** What the cell showed before the edit; null if unchanged. */
function textBefore({ before, values }: Line, column: Column): string | null {
  if (!before || isSameValue(before[column.name], values[column.name])) return null;
  return textOf(before, column);
}

/** As the widget renders it. */
function textOf(record: RecordValues, { field, node, widget, name }: Column): string {
  return widget.toText({ field, node, model: '', value: record[name], record, place: 'grid' });
}
