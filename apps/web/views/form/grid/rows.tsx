import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { Line } from '../../../data/form/lines.ts';
import type { RecordValues } from '../../../data/rpc.ts';
import { t } from '../../../i18n/messages.ts';
import { useKept } from '../../../state/keep-equal.ts';
import { hasHighRows } from '../../../ui/use-phone.ts';
import { ColumnMenu } from '../../table/column-menu.tsx';
import { type CellPlace, type GridContext, headingKind, useGrid } from './grid-context.ts';
import { GridRow } from './row.tsx';

interface RowsProps {
  readonly lines: readonly Line[];
  readonly active: CellPlace | null;
  /** The line that is held. */
  readonly lifted: number | null;
  readonly label: string;
}

const windowedFrom = 60;

/** Few lines stand in the page; many scroll in a window of their own, and only those in it are drawn. */
export function GridRows({ lines, active, lifted, label }: RowsProps) {
  const grid = useGrid();
  const { hasGrip, choice } = grid;
  const totals = useKept(useMemo(() => sectionTotals(grid, lines), [grid, lines]));
  const scroller = useRef<HTMLDivElement>(null);
  const isWindowed = lines.length > windowedFrom;
  const isStacked = choice.tracks.some((track) => track.isStacked);
  const height = isStacked ? 52 : hasHighRows() ? 44 : 34;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    enabled: isWindowed,
  });
  const activeRow = active?.row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window follows the active row, not itself.
  useEffect(() => {
    if (isWindowed && activeRow !== undefined) virtual.scrollToIndex(activeRow, { align: 'auto' });
  }, [activeRow, isWindowed]);
  const items = isWindowed ? virtual.getVirtualItems() : null;
  const first = items?.[0];
  const last = items?.at(-1);
  const shown = items ? items.map((item) => item.index) : lines.map((_line, index) => index);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={lines.length + 1}
      data-drag-list=""
      className={`grid-scroll ${isWindowed ? 'grid-windowed' : ''}`}
    >
      <div role="row" tabIndex={-1} aria-rowindex={1} className="grid-row grid-head">
        {hasGrip && (
          <div role="columnheader" tabIndex={-1} className="grid-grip">
            <span className="sr-only">{t('Order')}</span>
          </div>
        )}
        {choice.tracks.map(({ columns: [column] }) => (
          <div
            key={column.name}
            role="columnheader"
            tabIndex={-1}
            className={`grid-label ${column.isEnd ? 'num' : ''}`}
          >
            {column.label}
          </div>
        ))}
        <div role="columnheader" tabIndex={-1} className="grid-end">
          <span className="sr-only">{t('Actions')}</span>
          {choice.all.some(({ canHide }) => canHide) && <ColumnMenu columns={choice} />}
        </div>
      </div>
      {first && <div role="presentation" style={{ height: first.start }} />}
      {shown.map((index) => {
        const line = lines[index];
        return line ? (
          <GridRow
            key={index}
            line={line}
            row={index}
            active={active?.row === index ? active.column : -1}
            isEntry={active === null && index === 0}
            isLifted={lifted === line.key}
            total={totals[line.key]}
            measure={isWindowed ? virtual.measureElement : undefined}
          />
        ) : null;
      })}
      {last && <div role="presentation" style={{ height: virtual.getTotalSize() - last.end }} />}
    </div>
  );
}

/** What the lines below each heading come to, with the currency of the first of them. */
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
