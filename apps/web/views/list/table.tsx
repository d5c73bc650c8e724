import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { recallPlace, rememberPlace } from '../../navigation/place-memory.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { useRowHeight, useWindow } from '../../ui/use-window.ts';
import { canReorder } from './can-edit.ts';
import { type Columns, fitWidths } from './columns.ts';
import { Footer, hasTotals } from './footer.tsx';
import { Header } from './header.tsx';
import { useList } from './list-context.ts';
import { clickRows, hoverRows, useGridKeys } from './row-input.ts';
import type { Rows } from './rows.ts';
import { TableRow } from './table-row.tsx';
import type { ActiveCell } from './use-active-cell.ts';
import { usePacedRows } from './use-paced-rows.ts';
import type { Selection } from './use-selection.ts';

interface TableProps {
  readonly rows: Rows;
  readonly columns: Columns;
  readonly selection: Selection;
  readonly editing: { readonly id: number; readonly column: string } | null;
  readonly active: ActiveCell;
  readonly placeKey: string;
  readonly isLoading: boolean;
  /** The row of a new record, at the end that the view says. */
  readonly draft: ReactNode;
  readonly onRange: (first: number, last: number) => void;
}

const { Component: RowDrag } = lazyComponent(async () => (await import('./row-drag.tsx')).RowDrag);
const checkWidth = 44;
const endWidth = 48;
const headHeight = 32;

/** The window on the rows: only those in sight are drawn, between two spacers. */
export function Table(props: TableProps) {
  const { columns, selection, editing, active, placeKey, isLoading, draft, onRange } = props;
  const [lifted, setLifted] = useState<number | null>(null);
  const [moved, setMoved] = useState<Rows | null>(null);
  const rows = moved ?? props.rows;
  const list = useList();
  const { workspace } = list;
  const scroll = useRef<HTMLDivElement>(null);
  const width = useWidth(scroll);
  const rowHeight = useRowHeight();
  const hasHandle = canReorder(workspace);
  const first = checkWidth + (hasHandle ? 18 : 0);
  const widths = fitWidths(columns.shown, width - first - endWidth);
  const view = useWindow({
    scroll,
    rowHeight,
    count: rows.count,
    coverTop: headHeight,
    coverBottom: hasTotals(workspace.arch) ? rowHeight : 0,
    start: recallPlace(`${placeKey}#scroll`, workspace.listOffset * rowHeight),
  });
  useKeptScroll(scroll, `${placeKey}#scroll`);
  useJump(workspace.listOffset, (index) => view.show(index, true));
  const { first: firstSeen, last: lastSeen } = view;
  useAnchor({ scroll, rows, rowHeight, first: firstSeen, last: lastSeen, placeKey, active, isMoving: moved !== null });
  useEffect(() => {
    rows.see(firstSeen, lastSeen);
    onRange(firstSeen, lastSeen);
  }, [rows, firstSeen, lastSeen, onRange]);
  const page = Math.max(1, lastSeen - firstSeen);
  const onKeyDown = useGridKeys({ rows, columns, selection, active, page, scroll, show: view.show });
  const drawn = usePacedRows(rows, view, active.cell.row);
  const isAll = rows.ids.length > 0 && rows.ids.every((id) => selection.ids.has(id));
  return (
    <div className={`list-scroll ${isLoading ? 'is-loading' : ''}`} ref={scroll}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both kinds of grid take it. */}
      <table
        role={workspace.arch.groupBy?.length ? 'treegrid' : 'grid'}
        aria-label={workspace.arch.title}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.shown.length + 2}
        aria-multiselectable="true"
        aria-busy={isLoading}
        className="list-table"
        style={{ width: first + endWidth + widths.reduce((sum, one) => sum + one, 0) }}
        onKeyDown={onKeyDown}
      >
        <caption className="sr-only">
          {t('{title}: use the arrow keys to move, Enter to open', { title: workspace.arch.title })}
        </caption>
        <colgroup>
          <col style={{ width: first }} />
          {columns.shown.map(({ name }, at) => (
            <col key={name} style={{ width: widths[at] }} />
          ))}
          <col style={{ width: endWidth }} />
        </colgroup>
        <Header
          columns={columns}
          widths={widths}
          isAll={isAll}
          isSome={selection.ids.size > 0}
          onSelectAll={(isOn) => (isOn ? selection.set(rows.ids) : selection.clear())}
        />
        {draft && workspace.arch.list?.editable !== 'bottom' && <tbody>{draft}</tbody>}
        <Spacer height={view.top} />
        <tbody
          data-drag-list={hasHandle ? '' : undefined}
          onClick={(event) => clickRows(event, rows, list)}
          onAuxClick={(event) => event.button === 1 && clickRows(event, rows, list)}
          onPointerOver={(event) => hoverRows(event, rows, list)}
        >
          {drawn.map((row, at) => (
            <TableRow key={row.key} index={view.from + at} {...{ row, selection, editing, active, lifted }} />
          ))}
        </tbody>
        <Spacer height={view.bottom} />
        {draft && workspace.arch.list?.editable === 'bottom' && <tbody>{draft}</tbody>}
        <Footer />
      </table>
      {hasHandle && <RowDrag root={scroll} rows={props.rows} active={active} onShow={setMoved} onLift={setLifted} />}
    </div>
  );
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

function useKeptScroll(scroll: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const element = scroll.current;
    if (!element) return;
    const keep = () => rememberPlace(key, element.scrollTop);
    // Before the rows change: asked for afterwards, the place would have to be laid out first.
    element.addEventListener('scroll', keep, { passive: true, capture: true });
    return () => element.removeEventListener('scroll', keep, { capture: true });
  }, [scroll, key]);
}

/** A page that the address asks for comes into sight; the first one is there already. */
function useJump(offset: number, jump: (index: number) => void): void {
  const before = useRef(offset);
  useLayoutEffect(() => {
    if (before.current !== offset) jump(offset);
    before.current = offset;
  });
}

interface AnchorOptions {
  readonly scroll: RefObject<HTMLElement | null>;
  readonly rows: Rows;
  readonly rowHeight: number;
  readonly first: number;
  readonly last: number;
  /** Another search is another list: it starts where it starts. */
  readonly placeKey: string;
  readonly active: ActiveCell;
  /** The person moves a row: what moves then is meant to. */
  readonly isMoving: boolean;
}

/**
 * What others add or take away above leaves the rows in sight where they are, and the row that has the focus. At the very top,
 * with nothing touched, a new row simply appears.
 */
function useAnchor({ scroll, rows, rowHeight, first, last, placeKey, active, isMoving }: AnchorOptions): void {
  const wasMoving = useRef(false);
  const seen = useRef<{ placeKey: string; places: ReadonlyMap<number, number> }>({ placeKey, places: new Map() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows move anything.
  useLayoutEffect(() => {
    const element = scroll.current;
    const isOwn = isMoving || wasMoving.current;
    wasMoving.current = isMoving;
    if (!element || isOwn || seen.current.placeKey !== placeKey) return;
    const { places } = seen.current;
    const focused = focusedRow(element, rows);
    const anchor = focused ?? (element.scrollTop > 0 ? firstStillThere(places, rows) : undefined);
    const before = anchor === undefined ? undefined : places.get(anchor);
    if (anchor === undefined || before === undefined) return;
    const by = rows.indexOf(anchor) - before;
    if (by === 0) return;
    element.scrollTop += by * rowHeight;
    if (anchor === focused) active.stay(before + by);
  }, [rows]);
  useLayoutEffect(() => {
    const places = new Map<number, number>();
    for (let index = first; index <= last; index++) {
      const row = rows.at(index);
      if (row.kind === 'record') places.set(row.id, index);
    }
    seen.current = { placeKey, places };
  }, [rows, first, last, placeKey]);
}

function focusedRow(element: HTMLElement, rows: Rows): number | undefined {
  const line = document.activeElement?.closest<HTMLElement>('[data-row]');
  if (!line || !element.contains(line)) return undefined;
  const row = rows.at(Number(line.dataset.row));
  return row.kind === 'record' ? row.id : undefined;
}

/** The first of those in sight that is still there. */
function firstStillThere(places: ReadonlyMap<number, number>, rows: Rows): number | undefined {
  return [...places.keys()].find((id) => rows.indexOf(id) >= 0);
}

/** Lists come and go in the same room. Drawing with the width of the last one spares a layout of rows that are drawn again anyway. */
let lastWidth = 0;

/** The room inside an element, followed as it changes. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(lastWidth);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      lastWidth = element.clientWidth;
      setWidth(lastWidth);
    };
    if (lastWidth === 0) measure();
    // Tells of the size at once, after the layout that the frame needs in any case.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
