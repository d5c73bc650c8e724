import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { readingKey, t, usePrinting, useWindow } from '../../door/index.ts';
import { FigureMenu } from './figure-menu.tsx';
import { PivotFoot } from './foot.tsx';
import { GridHead } from './grid-head.tsx';
import { showColumn, useColumnsInSight, useLayout } from './grid-layout.ts';
import type { GridProps, Place, ShownPivot } from './grid-props.ts';
import { cellId, GridRow } from './grid-row.tsx';
import { headCellAt, keyAct, targetAt } from './target.ts';

/** A virtual table: only visible cells are rendered. One cell has the focus; arrow keys move it. */
// Over 60 lines: window, focus and menu share the current cell.
export function PivotGrid(props: GridProps) {
  const { analysis, shown } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const layout = useLayout(props);
  const { rowHeight, headHeight, units } = layout;
  const total = shown.rows.length - 1;
  const isPrinting = usePrinting();
  const seen = useWindow({ scroll, count: total, rowHeight, coverTop: headHeight, coverBottom: rowHeight, start: 0 });
  const across = useColumnsInSight(scroll, layout);
  const rows = isPrinting ? { from: 0, to: total - 1, top: 0, bottom: 0 } : seen;
  const columns = isPrinting ? { from: 0, to: layout.columns - 1 } : across;
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [menu, setMenu] = useState<Place | null>(null);
  const at = useMemo(() => within(active, shown, units.length), [active, shown, units.length]);
  const levels = shown.across.levels;
  const move = (next: Place) => {
    const place = within(next, shown, units.length);
    if (place.row >= 0 && place.row < total) seen.show(place.row);
    showColumn(scroll.current, layout, place);
    setActive(place);
  };
  const focus = (place: Place) => {
    setActive(place);
    scroll.current?.focus();
  };
  const target = targetAt(props, at, layout);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const step = stepOf(event, Math.max(1, seen.last - seen.first));
    if (step) {
      event.preventDefault();
      return move(jump(at, step, event, shown, units.length));
    }
    const act = keyAct(event, props, target, () => setMenu(at));
    if (!act) return;
    event.preventDefault();
    act();
  };
  const width = layout.nameWidth + layout.columns * layout.width;
  const rowProps = { ...props, layout, from: columns.from, to: columns.to, active: at };
  const onFigure = (place: Place) => {
    focus(place);
    setMenu(place);
  };
  return (
    <>
      <div
        ref={scroll}
        className="fill anchor scroll digits pivot"
        role="treegrid"
        aria-label={t('{title} as a pivot table', { title: analysis.workspace.arch.title })}
        aria-rowcount={levels + 1 + shown.rows.length}
        aria-colcount={1 + layout.columns * units.length}
        aria-activedescendant={cellId(at)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className="anchor least-full pivot-body" style={{ width }} role="presentation">
          <GridHead {...rowProps} onFocus={focus} />
          <div role="rowgroup">
            <div style={{ height: rows.top }} aria-hidden="true" />
            {shown.rows.slice(rows.from, rows.to + 1).map((row, index) => (
              <GridRow
                key={row.node.key}
                {...rowProps}
                row={row}
                at={rows.from + index}
                {...{ onFigure }}
                onFocus={focus}
              />
            ))}
            <div style={{ height: rows.bottom }} aria-hidden="true" />
          </div>
          <div role="rowgroup" className="surface stick pivot-total">
            <GridRow
              {...rowProps}
              row={shown.rows[total] as (typeof shown.rows)[number]}
              at={total}
              {...{ onFigure }}
              onFocus={focus}
            />
          </div>
        </div>
      </div>
      <PivotFoot {...props} place={target} />
      {menu && (
        <FigureMenu
          {...props}
          place={targetAt(props, menu, layout)}
          anchorId={cellId(menu)}
          onDone={() => {
            setMenu(null);
            scroll.current?.focus();
          }}
        />
      )}
    </>
  );
}

function within({ row, column }: Place, shown: ShownPivot, units: number): Place {
  const first = -1 - shown.across.levels;
  return {
    row: Math.min(shown.rows.length - 1, Math.max(first, row)),
    column: Math.min(shown.across.columns.length * units - 1, Math.max(row < 0 ? 0 : -1, column)),
  };
}

function stepOf(event: KeyboardEvent, page: number): Place | null {
  if (event.altKey) return null;
  const steps: Readonly<Record<string, Place>> = {
    ArrowUp: { row: -1, column: 0 },
    ArrowDown: { row: 1, column: 0 },
    ArrowLeft: { row: 0, column: -1 },
    ArrowRight: { row: 0, column: 1 },
    PageUp: { row: -page, column: 0 },
    PageDown: { row: page, column: 0 },
    Home: { row: 0, column: -Infinity },
    End: { row: 0, column: Infinity },
  };
  return steps[readingKey(event.key)] ?? null;
}

/** With Ctrl to the end; across a header that spans several columns in one step. */
function jump(at: Place, step: Place, event: KeyboardEvent, shown: ShownPivot, units: number): Place {
  const isFar = event.ctrlKey || event.metaKey;
  if (isFar) {
    const far = (by: number, now: number) =>
      by === 0 ? now : by < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return { row: far(step.row, at.row), column: far(step.column, at.column) };
  }
  if (at.row < -1 && step.column !== 0) {
    const cell = headCellAt(shown, Math.floor(at.column / units), shown.across.levels + 1 + at.row);
    if (cell) return { row: at.row, column: step.column < 0 ? (cell.from - 1) * units : cell.to * units };
  }
  return { row: at.row + step.row, column: at.column + step.column };
}
