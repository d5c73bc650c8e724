import { groupLabel, Icon, t } from '../../door/index.ts';
import { nodeLabel } from './figure-text.ts';
import type { Layout } from './grid-props.ts';
import { cellId, type RowProps } from './grid-row.tsx';
import type { HeadCell } from './pivot-table.ts';
import { nextOrder } from './state.ts';
import { canOpen } from './target.ts';

/** The column groups, and below them the measures. */
export function GridHead(props: RowProps) {
  const { shown, layout, analysis } = props;
  const { levels } = shown.across;
  const corner = analysis.groupBy.map((group) => groupLabel(analysis.workspace, group)).join(' › ');
  return (
    <div role="rowgroup" className="surface stick at-top pivot-head" style={{ height: layout.headHeight }}>
      {[...Array(levels).keys()].map((level) => (
        <HeadLevel key={level} {...props} level={level} />
      ))}
      <div
        role="row"
        tabIndex={-1}
        aria-rowindex={levels + 1}
        className="pin across pivot-measures"
        style={{ height: layout.rowHeight, top: levels * layout.rowHeight }}
      >
        <div
          role="columnheader"
          tabIndex={-1}
          aria-colindex={1}
          className="lined row small mut nowrap surface gap-0 clip tall stick at-front pad-s-4 pad-e-2 ruled-end pivot-corner"
          style={{ width: layout.nameWidth }}
          title={corner}
        >
          <span className="dots pivot-words">{corner || t('Rows')}</span>
        </div>
        <Measures {...props} />
      </div>
    </div>
  );
}

function HeadLevel(props: RowProps & { readonly level: number }) {
  const { shown, layout, level, from, to } = props;
  const cells = shown.across.head.filter((cell) => cell.level === level && cell.to > from && cell.from <= to);
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={level + 1}
      className="pin across"
      style={{ height: layout.rowHeight, top: level * layout.rowHeight }}
    >
      <div
        role="presentation"
        className="row small mut nowrap surface gap-0 clip tall stick at-front pad-s-4 pad-e-2 ruled-end pivot-corner"
        style={{ width: layout.nameWidth }}
      />
      {cells.map((cell) => (
        <HeadGroup key={`${cell.node.key} ${cell.isTotal}`} {...props} cell={cell} />
      ))}
    </div>
  );
}

/** The width of the columns that a header cell spans. */
function spanOf(cell: HeadCell, { nameWidth, width, rowHeight }: Layout) {
  return {
    insetInlineStart: nameWidth + cell.from * width,
    width: (cell.to - cell.from) * width,
    height: cell.levels * rowHeight,
  };
}

function HeadGroup(props: RowProps & { readonly cell: HeadCell; readonly level: number }) {
  const { cell, level, layout, analysis, shown, active, isOpening, toggle, onFocus } = props;
  const label = nodeLabel(analysis.workspace.arch, analysis.columns, cell.node);
  const units = layout.units.length;
  const row = level - shown.across.levels - 1;
  const place = { row, column: cell.from * units };
  const isActive =
    active.row < -1 &&
    cell.from * units <= active.column &&
    active.column < cell.to * units &&
    row <= active.row &&
    active.row < row + cell.levels;
  const hasParts = !cell.isTotal && canOpen(analysis, 'columns', cell.node);
  const name = cell.isTotal && cell.node.path.length > 0 ? t('{name} total', { name: label }) : label;
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      id={isActive ? cellId(active) : cellId(place)}
      aria-colindex={place.column + 2}
      aria-colspan={(cell.to - cell.from) * units}
      aria-rowspan={cell.levels}
      {...(hasParts ? { 'aria-expanded': cell.isOpen } : {})}
      className={`small strong pad-x-2h pin at-top line level nowrap surface lined ruled-end pivot-group ${hasParts ? 'hovers' : ''} ${cell.isTotal ? 'is-total' : ''} ${isActive ? 'is-active' : ''}`}
      style={spanOf(cell, layout)}
      title={name}
      onClick={() => {
        onFocus(place);
        if (hasParts) toggle('columns', cell.node);
      }}
    >
      <span
        className="inline-row gap-1h dots stick within pivot-group-name"
        style={{ insetInlineStart: layout.nameWidth }}
      >
        {hasParts && (
          <Icon
            name={
              isOpening === `columns ${cell.node.key}` ? 'refresh-cw' : cell.isOpen ? 'chevron-down' : 'chevron-right'
            }
            size={14}
            className="dim"
          />
        )}
        <bdi>{name}</bdi>
      </span>
    </div>
  );
}

function Measures({ shown, layout, from, to, active, order, before, setOrder, onFocus }: RowProps) {
  return shown.across.columns.slice(from, to + 1).flatMap((column, at) =>
    layout.units.map((unit, index) => {
      const place = { row: -1, column: (from + at) * layout.units.length + index };
      const key = order.rows;
      const sort = key?.measure === unit.measure.name && key.path === column.node.key && !unit.isChange ? key : null;
      const isActive = active.row === -1 && active.column === place.column;
      const label = unit.isChange ? t('Difference') : unit.measure.label;
      const looks = [
        'small mut tall end pin at-top line level nowrap pointer surface lined hovers inks pivot-measure',
        column.isTotal ? 'is-total' : '',
        isActive ? 'is-active' : '',
        index === layout.units.length - 1 ? 'is-last' : '',
      ];
      return (
        <div
          key={`${column.node.key} ${column.isTotal} ${unit.measure.name} ${unit.isChange}`}
          role="columnheader"
          tabIndex={-1}
          id={cellId(place)}
          aria-colindex={place.column + 2}
          aria-sort={sort ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
          className={looks.join(' ')}
          style={{ insetInlineStart: layout.nameWidth + (from + at) * layout.width + unit.at, width: unit.width }}
          title={unit.isChange && before ? `${label}: ${before.days}` : label}
          onClick={() => {
            onFocus(place);
            if (!unit.isChange) setOrder({ ...order, rows: nextOrder(order.rows, unit.measure.name, column.node.key) });
          }}
        >
          {sort && <Icon name={sort.isDescending ? 'arrow-down' : 'arrow-up'} size={12} />}
          <span className="dots">{label}</span>
        </div>
      );
    }),
  );
}
