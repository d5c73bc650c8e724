import { memo } from 'react';
import { Avatar, type DrawnMeasure, formatFigure, formatShare, Icon } from '../../door/index.ts';
import { type ComparedTables, changeAt, figureText, nodeLabel } from './figure-text.ts';
import type { GridProps, Layout, Place } from './grid-props.ts';
import type { AxisNode, PivotTable, ShownRow } from './pivot-table.ts';
import { canOpen } from './target.ts';

/** The element id of a cell, for `aria-activedescendant`. */
export function cellId({ row, column }: Place): string {
  return `pivot ${row} ${column}`.replaceAll(' ', '_');
}

export interface RowProps extends GridProps {
  readonly layout: Layout;
  /** The visible columns. */
  readonly from: number;
  readonly to: number;
  readonly active: Place;
  onFocus(place: Place): void;
}

interface GridRowProps extends RowProps {
  readonly row: ShownRow;
  /** Its row index. */
  readonly at: number;
  onFigure(place: Place): void;
}

export const GridRow = memo(GridRowOf, isSameRow);

/** When the focus moves, only the row it leaves and the row it enters render again. */
function isSameRow(one: GridRowProps, other: GridRowProps): boolean {
  const hasFocus = ({ active, at }: GridRowProps) => (active.row === at ? active.column : null);
  if (hasFocus(one) !== hasFocus(other)) return false;
  const keys = ['shown', 'layout', 'from', 'to', 'row', 'at', 'share', 'before', 'isOpening', 'analysis'] as const;
  return keys.every((key) => one[key] === other[key]);
}

function GridRowOf(props: GridRowProps) {
  const { row, at, layout, shown, from, to, analysis } = props;
  const isParent = row.isTotal || canOpen(analysis, 'rows', row.node);
  return (
    <div
      role="row"
      tabIndex={-1}
      className={`anchor surface lined pivot-row ${row.isTotal ? 'is-total' : row.isOpen && isParent ? 'is-open' : ''}`}
      style={{ height: layout.rowHeight }}
      aria-rowindex={shown.across.levels + 2 + at}
      aria-level={Math.max(1, row.depth)}
      {...(isParent && !row.isTotal ? { 'aria-expanded': row.isOpen } : {})}
    >
      <RowName {...props} />
      {shown.across.columns.slice(from, to + 1).map((column, index) => (
        <Figures
          key={`${column.node.key} ${column.isTotal}`}
          {...props}
          column={column.node}
          at={at}
          index={from + index}
          isTotal={column.isTotal}
        />
      ))}
    </div>
  );
}

function RowName(props: GridRowProps) {
  const { row, at, layout, analysis, active, isOpening, toggle, onFocus } = props;
  const { arch } = analysis.workspace;
  const group = analysis.groupBy[row.depth - 1];
  const label = nodeLabel(arch, analysis.groupBy, row.node);
  const isPerson =
    arch.fields.find(({ name }) => name === group)?.relation === 'core.user' && row.node.path.at(-1) !== null;
  const hasParts = !row.isTotal && canOpen(analysis, 'rows', row.node);
  const place = { row: at, column: -1 };
  return (
    <div
      role="rowheader"
      tabIndex={-1}
      id={cellId(place)}
      aria-colindex={1}
      className={`row gap-1h nowrap tall stick above at-front pad-e-2 ruled-end pivot-name ${active.row === at && active.column < 0 ? 'is-active' : ''}`}
      style={{ width: layout.nameWidth, paddingInlineStart: row.isTotal ? 12 : 6 + (row.depth - 1) * 18 }}
      onClick={() => {
        onFocus(place);
        if (hasParts) toggle('rows', row.node);
      }}
      title={label}
    >
      {!row.isTotal && (
        <span className="rigid dim centre inline-line pivot-fold" aria-hidden="true">
          {hasParts && (
            <Icon
              name={isOpening === `rows ${row.node.key}` ? 'refresh-cw' : row.isOpen ? 'chevron-down' : 'chevron-right'}
              size={14}
            />
          )}
        </span>
      )}
      {isPerson && <Avatar name={label} size="s" />}
      <bdi className="dots pivot-words">{label}</bdi>
      {hasParts && row.node.children && <span className="dim regular">{row.node.children.length}</span>}
    </div>
  );
}

interface FiguresProps extends GridRowProps {
  readonly column: AxisNode;
  readonly index: number;
  readonly isTotal: boolean;
}

/** All figures of one column in a row. */
function Figures({
  row,
  column,
  at,
  index,
  isTotal,
  layout,
  shown,
  before,
  share,
  analysis,
  active,
  onFigure,
  onFocus,
}: FiguresProps) {
  const { arch } = analysis.workspace;
  const { table } = shown;
  const figure = { table, row: row.node, column };
  const found = table.figure(row.node, column);
  return layout.units.map((unit, at2) => {
    const place = { row: at, column: index * layout.units.length + at2 };
    const isActive = active.row === place.row && active.column === place.column;
    const looks = [
      'pivot-figure row end mut nowrap gap-0 clip pointer',
      isTotal ? 'is-total' : '',
      at2 > 0 ? 'is-second' : '',
      isActive ? 'is-active' : '',
      at2 === layout.units.length - 1 ? 'is-last' : '',
    ];
    return (
      <div
        key={`${unit.measure.name} ${unit.isChange}`}
        role="gridcell"
        tabIndex={-1}
        id={cellId(place)}
        aria-colindex={place.column + 2}
        aria-selected={isActive}
        className={looks.join(' ')}
        style={{ insetInlineStart: layout.nameWidth + index * layout.width + unit.at, width: unit.width }}
        onClick={() => (found ? onFigure(place) : onFocus(place))}
        onContextMenu={(event) => {
          event.preventDefault();
          onFigure(place);
        }}
        {...(found && !unit.isChange
          ? { title: formatFigure(arch, unit.measure, found[unit.measure.name] as number, unit.measure.code) }
          : {})}
      >
        {unit.isChange
          ? before && <Change {...{ figure, before, arch }} measure={unit.measure} />
          : figureText(arch, figure, unit.measure, share)}
      </div>
    );
  });
}

interface ChangeProps {
  readonly figure: { readonly table: PivotTable; readonly row: AxisNode; readonly column: AxisNode };
  readonly before: ComparedTables;
  readonly measure: DrawnMeasure;
  readonly arch: GridProps['analysis']['workspace']['arch'];
}

/** An arrow and a number, so that the meaning does not depend on colour alone. */
function Change({ figure, before, measure, arch }: ChangeProps) {
  const change = changeAt(figure, before, measure);
  if (change === null || !figure.table.figure(figure.row, figure.column)) return null;
  const then = before.before.figure(figure.row, figure.column)?.[measure.name] as number | undefined;
  const look = change > 0 ? 'ok' : change < 0 ? 'bad' : '';
  return (
    <span
      className={`inline-row gap-half small regular pivot-change ${look}`}
      title={`${before.days}: ${formatFigure(arch, measure, then, measure.code)}`}
    >
      {change !== 0 && <Icon name={change > 0 ? 'arrow-up' : 'arrow-down'} size={12} />}
      {formatShare(change, true)}
    </span>
  );
}
