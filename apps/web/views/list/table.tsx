import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  addField,
  Checkbox,
  firstScreen,
  Icon,
  lazyComponent,
  mayCustomise,
  type RowWindow,
  readingKey,
  recallPlace,
  refine,
  t,
  toHref,
  useGo,
  useRowHeight,
  useWindow,
} from '../../door/index.ts';
import { type Column, type Columns, nextSort, sortOf } from '../table/columns.ts';
import { fitWidths, sizedByContent, useMeasured } from '../table/widths.ts';
import { canReorder } from './can-edit.ts';
import { Footer, hasTotals } from './footer.tsx';
import { type EditedCell, useList } from './list-context.ts';
import { clickRows, hoverRows, useGridKeys } from './row-input.ts';
import type { Rows } from './rows.ts';
import { TableRow } from './table-row.tsx';
import type { ActiveCell } from './use-active-cell.ts';
import { usePacedRows } from './use-paced-rows.ts';
import { useRowSlots } from './use-row-slots.ts';
import { useAnchor, useJump, useKeptScroll, useWidth } from './use-scroll.ts';
import type { Selection } from './use-selection.ts';

interface TableProps {
  readonly rows: Rows;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly editing: EditedCell | null;
  readonly active: ActiveCell;
  readonly placeKey: string;
  readonly isLoading: boolean;
  /** The row of a new record, at the top or bottom as the view says. */
  readonly draft: ReactNode;
  readonly onRange: (first: number, last: number) => void;
}

const { Component: ColumnMenu } = lazyComponent(
  async () => {
    await firstScreen;
    return (await import('../table/column-menu.tsx')).ColumnMenu;
  },
  <span className="icon-btn" />,
);
const { Component: RowDrag } = lazyComponent(async () => {
  await firstScreen;
  return (await import('./row-drag.tsx')).RowDrag;
});
const checkWidth = 44;
const endWidth = 48;
const headHeight = 32;

/** A virtual table: only visible rows are rendered, between two spacers. */
export function Table(props: TableProps) {
  const { columns, selection, editing, active, isLoading, draft } = props;
  const [lifted, setLifted] = useState<number | null>(null);
  const [moved, setMoved] = useState<Rows | null>(null);
  const rows = moved ?? props.rows;
  const list = useList();
  const { arch } = list.workspace;
  const scroll = useRef<HTMLDivElement>(null);
  const layout = useLayout(scroll, props);
  const view = useRowWindow(scroll, rows, layout.rowHeight, props, moved !== null);
  const page = Math.max(1, view.last - view.first);
  const onKeyDown = useGridKeys({ rows, columns, selection, active, page, scroll, show: view.show });
  const drawn = usePacedRows(rows, view, active.cell.row);
  const body = useRef<HTMLTableSectionElement>(null);
  const slotted = useRowSlots(body, drawn, {
    canReuse: view.isMoving() && lifted === null,
    active: active.cell.row,
    editing: editing?.id,
  });
  const style = useWaitingBars(layout, view.most);
  return (
    <div className={`list-scroll fill scroll ${isLoading ? 'is-loading' : ''}`} ref={scroll}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both kinds of grid take it. */}
      <table
        role={arch.groupBy?.length ? 'treegrid' : 'grid'}
        aria-label={arch.title}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.shown.length + 2}
        aria-multiselectable="true"
        aria-busy={isLoading}
        className={`fixed separate least-full list-table ${layout.whole > layout.room ? 'is-wide' : ''}`}
        style={style}
        onKeyDown={onKeyDown}
      >
        <TableHead {...{ columns, selection, rows, layout }} />
        {draft && arch.list?.editable !== 'bottom' && <tbody>{draft}</tbody>}
        <Spacer height={view.top} />
        <tbody
          ref={body}
          data-drag-list={layout.hasHandle ? '' : undefined}
          onClick={(event) => clickRows(event, rows, list)}
          onAuxClick={(event) => event.button === 1 && clickRows(event, rows, list)}
          onPointerOver={(event) => hoverRows(event, rows, list, view.isMoving())}
        >
          {slotted.map(({ slot, row, index, count }) => (
            <TableRow key={slot} {...{ row, index, count, selection, editing, active, lifted }} />
          ))}
        </tbody>
        <Spacer height={view.bottom} />
        {draft && arch.list?.editable === 'bottom' && <tbody>{draft}</tbody>}
        <Footer />
      </table>
      {layout.hasHandle && (
        <RowDrag root={scroll} rows={props.rows} active={active} onShow={setMoved} onLift={setLifted} />
      )}
    </div>
  );
}

interface Layout {
  readonly rowHeight: number;
  readonly hasHandle: boolean;
  /**
   * Widths in pixels: of the viewport, of the whole table, of everything before the first column, and of the columns.
   */
  readonly room: number;
  readonly whole: number;
  readonly first: number;
  readonly widths: readonly number[];
}

function useLayout(scroll: RefObject<HTMLDivElement | null>, { columns, placeKey, isLoading }: TableProps): Layout {
  const { workspace } = useList();
  const { model } = workspace;
  const room = useWidth(scroll);
  const rowHeight = useRowHeight();
  const hasHandle = canReorder(workspace);
  const records = useMeasured({ box: scroll, records: workspace.records, placeKey, isLoading });
  const sized = useMemo(() => sizedByContent(columns.shown, { model, records }), [columns.shown, model, records]);
  return useMemo(() => {
    const first = checkWidth + (hasHandle ? 18 : 0);
    const widths = fitWidths(sized, room - first - endWidth);
    const whole = first + endWidth + widths.reduce((sum, one) => sum + one, 0);
    return { rowHeight, hasHandle, room, whole, first, widths };
  }, [sized, room, hasHandle, rowHeight]);
}

/**
 * The visible rows. Keeps them in place when others change the list, and reports them to the pager and the page loader.
 */
function useRowWindow(
  scroll: RefObject<HTMLDivElement | null>,
  rows: Rows,
  rowHeight: number,
  { placeKey, active, onRange }: TableProps,
  isMoving: boolean,
): RowWindow {
  const { listOffset, arch } = useList().workspace;
  const view = useWindow({
    scroll,
    rowHeight,
    count: rows.count,
    coverTop: headHeight,
    coverBottom: hasTotals(arch) ? rowHeight : 0,
    start: recallPlace(`${placeKey}#scroll`, listOffset * rowHeight),
  });
  const { first, last } = view;
  useKeptScroll(scroll, `${placeKey}#scroll`);
  useJump(listOffset, (index) => view.show(index, true));
  useAnchor({ scroll, rows, rowHeight, first, last, placeKey, active, isMoving });
  useEffect(() => rows.see(first, last), [rows, first, last]);
  // Before paint, so that the pager above the rows is in the same frame.
  useLayoutEffect(() => onRange(first, last), [first, last, onRange]);
  return view;
}

interface TableHeadProps {
  readonly columns: Columns;
  readonly selection: Selection;
  readonly rows: Rows;
  readonly layout: Layout;
}

function TableHead({ columns, selection, rows, layout: { first, widths } }: TableHeadProps) {
  const { title } = useList().workspace.arch;
  const loaded = useRef(rows);
  loaded.current = rows;
  const onSelectAll = useCallback(
    (isOn: boolean) => (isOn ? selection.set(loaded.current.ids) : selection.clear()),
    [selection],
  );
  const isAll = selection.ids.size > 0 && rows.ids.length > 0 && rows.ids.every((id) => selection.ids.has(id));
  return (
    <>
      <caption className="sr-only">{t('{title}: use the arrow keys to move, Enter to open', { title })}</caption>
      <colgroup>
        <col style={{ width: first }} />
        {columns.shown.map(({ name }, at) => (
          <col key={name} style={{ width: widths[at] }} />
        ))}
        <col style={{ width: endWidth }} />
      </colgroup>
      <Header {...{ columns, widths, isAll, onSelectAll }} isSome={selection.ids.size > 0} />
    </>
  );
}

const barHeight = 8;

/**
 * The placeholder bars of rows that are not loaded, and the line below each row, as a clip path of the one cell that
 * stands for all of them. Only the bars are painted. A repeating background would be rasterised completely for each
 * column, by threads that compete with the frame for CPU.
 */
function useWaitingBars({ whole, first, widths, rowHeight }: Layout, count: number): CSSProperties {
  return useMemo(() => {
    const isFromRight = document.documentElement.dir === 'rtl';
    const top = (rowHeight - barHeight) / 2;
    let start = first + 12;
    const bars = widths.map((width) => {
      const length = Math.round(width * 0.6);
      const left = Math.round(isFromRight ? whole - start - length : start);
      start += width;
      return { left, length };
    });
    const ofRow = (at: number) => [
      ...bars.map(({ left, length }) => `M${left} ${at + top}h${length}v${barHeight}h-${length}z`),
      `M0 ${at + rowHeight}v-1h${whole}v1z`,
    ];
    const rows = Array.from({ length: count }, (_, row) => ofRow(row * rowHeight).join(''));
    return { width: whole, '--waits': `path("${rows.join('')}")` } as CSSProperties;
  }, [whole, first, widths, rowHeight, count]);
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? (
    <tbody aria-hidden="true" className="list-spacer">
      <tr>
        <td style={{ height }} />
      </tr>
    </tbody>
  ) : null;
}

interface HeaderProps {
  readonly columns: Columns;
  readonly widths: readonly number[];
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onSelectAll: (isOn: boolean) => void;
}

/** The table header: sorts, resizes, moves and hides columns. Scrolling rows do not render it again. */
const Header = memo(function Header({ columns, widths, isAll, isSome, onSelectAll }: HeaderProps) {
  const { model, arch } = useList().workspace;
  const names = arch.fields.map(({ name }) => name);
  const adding = mayCustomise(arch).fields ? () => addField({ model, title: arch.title, names }) : undefined;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="list-check" aria-colindex={1}>
          <Checkbox label={t('Select all')} isChecked={isAll} isMixed={isSome && !isAll} onChange={onSelectAll} />
        </th>
        {columns.shown.map((column, at) => (
          <HeaderCell key={column.name} column={column} at={at} width={widths[at] ?? column.width} columns={columns} />
        ))}
        <th scope="col" className="list-end" aria-colindex={columns.shown.length + 2}>
          <span className="sr-only">{t('Actions')}</span>
          <ColumnMenu columns={columns} canReset onAdd={adding} />
        </th>
      </tr>
    </thead>
  );
});

interface HeaderCellProps {
  readonly column: Column;
  readonly at: number;
  readonly width: number;
  readonly columns: Columns;
}

const step = 16;

/** Click or Enter sorts, with Shift as an additional level; Alt+arrows resize, Alt+Shift+arrows move the column. */
function HeaderCell({ column, at, width, columns }: HeaderCellProps) {
  const { workspace, search } = useList();
  const { name, label, field, isEnd } = column;
  const go = useGo();
  const sort = sortOf(workspace.listSort, name);
  const toggle = (isFurther: boolean) =>
    void go(toHref(refine(search, { sort: nextSort(workspace.listSort, name, isFurther) })), {
      isReplace: true,
      keepTrail: true,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[readingKey(event.key)];
    if (!way || !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) columns.move(name, way);
    else columns.resize(name, width + way * step);
  };
  return (
    <th
      scope="col"
      aria-colindex={at + 2}
      aria-sort={sort === null ? undefined : sort === 'up' ? 'ascending' : 'descending'}
      className={`${isEnd ? 'num' : ''} ${sort ? 'is-sorted' : ''}`}
    >
      {field.sortable ? (
        <button
          type="button"
          className="within list-sort inline-row gap-1 round-s focus-in"
          title={field.help ?? label}
          onClick={(event) => toggle(event.shiftKey)}
          onKeyDown={onKeyDown}
        >
          <span className="cut">{label}</span>
          {sort && <Icon name={sort === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
        </button>
      ) : (
        <span className="within list-sort inline-row">{label}</span>
      )}
      <ResizeGrip name={name} width={width} onResize={(next) => columns.resize(name, next)} />
    </th>
  );
}

/** Resizes with the mouse. The keyboard uses Alt+arrows on the header. */
function ResizeGrip({ name, width, onResize }: { name: string; width: number; onResize: (width: number) => void }) {
  const start = useRef({ x: 0, width: 0 });
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const way = document.documentElement.dir === 'rtl' ? -1 : 1;
    onResize(Math.max(60, start.current.width + way * (event.clientX - start.current.x)));
  };
  return (
    <span
      className="pin above list-grip"
      data-column={name}
      aria-hidden="true"
      onPointerDown={(event) => {
        start.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
    />
  );
}
