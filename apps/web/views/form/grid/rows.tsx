import { useEffect, useMemo, useRef } from 'react';
import { hasHighRows, type Line, type RecordValues, t, useKept, useWindow } from '../../../door/index.ts';
import { ColumnMenu } from '../../table/column-menu.tsx';
import type { CellPlace } from '../../table/keys.ts';
import { type GridContext, headingKind, useGrid } from './grid-context.ts';
import { GridRow } from './row.tsx';

interface RowsProps {
  readonly lines: readonly Line[];
  readonly active: CellPlace | null;
  /** The line that is being dragged. */
  readonly lifted: number | null;
  readonly label: string;
}

const windowedFrom = 60;

/** A few lines are rendered in the page; many scroll in their own virtual list. */
export function GridRows({ lines, active, lifted, label }: RowsProps) {
  const grid = useGrid();
  const totals = useKept(useMemo(() => sectionTotals(grid, lines), [grid, lines]));
  const scroller = useRef<HTMLDivElement>(null);
  const isWindowed = lines.length > windowedFrom;
  const isStacked = grid.choice.tracks.some((track) => track.isStacked);
  const rowHeight = isStacked ? 52 : hasHighRows() ? 44 : 34;
  const { from, to, top, bottom, show, measure } = useWindow({
    scroll: scroller,
    count: isWindowed ? lines.length : 0,
    rowHeight,
    isMeasured: true,
    coverTop: 34,
    coverBottom: 0,
    start: 0,
  });
  const activeRow = active?.row;
  useEffect(() => {
    if (isWindowed && activeRow !== undefined) show(activeRow);
  }, [activeRow, isWindowed, show]);
  const [first, drawn] = isWindowed ? [from, lines.slice(from, to + 1)] : [0, lines];
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={lines.length + 1}
      data-drag-list=""
      className={`grid-scroll ${isWindowed ? 'lined grid-windowed' : ''}`}
    >
      <GridHead />
      {isWindowed && <div role="presentation" style={{ height: top }} />}
      {drawn.map((line, at) => {
        const row = first + at;
        return (
          // Keyed by position: a new line keeps its row when it is saved and gets an id.
          <GridRow
            key={row}
            line={line}
            row={row}
            active={activeRow === row ? (active?.column ?? -1) : -1}
            isEntry={active === null && row === 0}
            isLifted={lifted === line.key}
            total={totals[line.key]}
            measure={isWindowed ? measure : undefined}
          />
        );
      })}
      {isWindowed && <div role="presentation" style={{ height: bottom }} />}
    </div>
  );
}

function GridHead() {
  const { hasGrip, choice } = useGrid();
  return (
    <div role="row" tabIndex={-1} aria-rowindex={1} className="grid-row grid-head">
      {hasGrip && (
        <div role="columnheader" tabIndex={-1} className="dim grid-grip middle">
          <span className="sr-only">{t('Order')}</span>
        </div>
      )}
      {choice.tracks.map(({ columns: [column] }) => (
        <div
          key={column.name}
          role="columnheader"
          tabIndex={-1}
          className={`grid-label cut ${column.isEnd ? 'num' : ''}`}
        >
          {column.label}
        </div>
      ))}
      <div role="columnheader" tabIndex={-1} className="grid-end row gap-0 end">
        <span className="sr-only">{t('Actions')}</span>
        {choice.all.some(({ canHide }) => canHide) && <ColumnMenu columns={choice} />}
      </div>
    </div>
  );
}

/** The total below each heading, in the currency of its first line. */
function sectionTotals(grid: GridContext, lines: readonly Line[]): Readonly<Record<number, RecordValues>> {
  const totals: Record<number, RecordValues> = {};
  const { amount } = grid.choice;
  if (!grid.headings || amount === undefined) return totals;
  let section: Line | null = null;
  for (const line of lines) {
    const kind = headingKind(grid, line);
    if (kind === 'section') section = line;
    if (kind !== null || section === null) continue;
    const before = totals[section.key];
    const cents = Math.round(Number(before?.[amount] ?? 0) * 1e6) + Math.round(Number(line.values[amount] ?? 0) * 1e6);
    totals[section.key] = { ...(before ?? line.values), [amount]: cents / 1e6 };
  }
  return totals;
}
