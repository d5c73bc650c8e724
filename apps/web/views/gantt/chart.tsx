import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { goTo, readingKey, t, timeText, usePhone, usePrinting, useWindow } from '../../door/index.ts';
import { useGantt } from './gantt-context.ts';
import { LinkLines } from './link-lines.tsx';
import { BarLine, GroupLine } from './row.tsx';
import type { GanttRow } from './rows.ts';
import { shareOf, type Tick } from './time-axis.ts';
import { freeDays } from './work.ts';

interface ChartProps {
  readonly rows: readonly GanttRow[];
  /** The element in which bars are dragged. */
  readonly root: RefObject<HTMLDivElement | null>;
}

const headHeight = 52;

/** The time axis, and below it the visible rows; spacers stand for the others. */
export function Chart({ rows, root }: ChartProps) {
  const { workspace, axis, now } = useGantt();
  const rowHeight = usePhone() ? 56 : 34;
  const scroll = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const width = useTrackWidth(scroll);
  const options = { scroll, count: rows.length, rowHeight, coverTop: headHeight, coverBottom: 0, start: 0 };
  const { show, ...inSight } = useWindow(options);
  const { from, to } = usePrinting() ? { from: 0, to: rows.length - 1 } : inSight;
  const isDrawn = active >= from && active <= to;
  const drawn = rows.slice(from, to + 1);
  const walk = useWalk({ rows, active: isDrawn ? active : from, setActive, show, scroll });
  return (
    <div className="fill anchor scroll-y gutter gantt-scroll" ref={scroll}>
      <Head />
      <div
        className="anchor"
        ref={root}
        style={{ height: rows.length * rowHeight, '--now': `${shareOf(axis, now) * 100}%` } as CSSProperties}
      >
        <Backdrop />
        <LinkLines {...{ rows, rowHeight, from, to, width, root }} />
        <div role="list" aria-label={workspace.arch.title} className="gantt-list" onKeyDown={walk}>
          {drawn.map((row, index) => {
            const isActive = isDrawn ? from + index === active : index === 0;
            const top = (from + index) * rowHeight;
            return row.kind === 'group' ? (
              <GroupLine key={row.key} {...{ row, top, isActive }} />
            ) : (
              <BarLine key={row.key} {...{ row, top, isActive }} />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head() {
  const { axis, gantt, now } = useGantt();
  const free = useMemo(() => freeDays(gantt, axis.start, axis.end), [gantt, axis]);
  const isFree = ({ start, end }: Tick) => free.some(([from, to]) => from <= start && end <= to);
  const isNow = ({ start, end }: Tick) => now >= start && now < end;
  return (
    <div className="lined surface stick at-top line gantt-head">
      <div className="row apart rigid small dim medium gap-0 wide-only gantt-corner">
        <span>{t('Name')}</span>
        <PathButton />
      </div>
      <div className="anchor clip share ruled-start gantt-axis" aria-hidden="true">
        {axis.major.map((tick) => (
          <span key={tick.start} className="pin nowrap tiny digits clip dim gantt-major" style={placeOf(tick)}>
            <b className="strong ink">{tick.label}</b> <span>{tick.hint}</span>
          </span>
        ))}
        {axis.minor.map((tick) => (
          <span
            key={tick.start}
            className={`pin nowrap tiny digits centred dim gantt-minor ${isNow(tick) ? 'is-now' : ''} ${isFree(tick) ? 'is-free' : ''}`}
            style={placeOf(tick)}
          >
            <span>{tick.label}</span>
          </span>
        ))}
      </div>
    </div>
  );

  function placeOf(tick: Tick) {
    const from = shareOf(axis, tick.start) * 100;
    return { insetInlineStart: `${from}%`, width: `${shareOf(axis, tick.end) * 100 - from}%` };
  }
}

/** Highlights the critical path. */
function PathButton() {
  const { gantt, search } = useGantt();
  const isOn = search.extra.critical === '1';
  if (gantt.dependencies === undefined) return null;
  return (
    <button
      type="button"
      className="mut round-s least-24 pad-x-2 outlined hovers inks screen-only gantt-path"
      aria-pressed={isOn}
      onClick={() => goTo(search, { critical: isOn ? '' : '1' }, true)}
    >
      {t('Critical path')}
    </button>
  );
}

/** Days off, grid lines and the current time, behind the bars. In a year, days are too narrow to tell apart. */
function Backdrop() {
  const { axis, gantt, now } = useGantt();
  const free = useMemo(() => (axis.scale === 'year' ? [] : freeDays(gantt, axis.start, axis.end)), [gantt, axis]);
  const percent = (local: number) => `${shareOf(axis, local) * 100}%`;
  return (
    <div className="pin at-back ruled-start gantt-backdrop" data-track="" aria-hidden="true">
      {free.map(([start, end]) => (
        <span
          key={start}
          className="gantt-free"
          style={{ insetInlineStart: percent(start), width: `${(shareOf(axis, end) - shareOf(axis, start)) * 100}%` }}
        />
      ))}
      {axis.major.slice(1).map(({ start }) => (
        <span key={start} className="gantt-grid-line" style={{ insetInlineStart: percent(start) }} />
      ))}
      {now >= axis.start && now < axis.end && (
        <span className="above bg-accent gantt-now" style={{ insetInlineStart: percent(now) }} title={timeText(now)} />
      )}
    </div>
  );
}

function useTrackWidth(scroll: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const track = scroll.current?.querySelector<HTMLElement>('[data-track]');
    if (!track) return;
    const observer = new ResizeObserver(() => setWidth(track.clientWidth));
    observer.observe(track);
    return () => observer.disconnect();
  }, [scroll]);
  return width;
}

interface Walk {
  readonly rows: readonly GanttRow[];
  readonly active: number;
  readonly scroll: RefObject<HTMLElement | null>;
  setActive(index: number): void;
  show(index: number): void;
}

/** All rows are one tab stop: Up and Down move between rows, Left and Right fold and unfold a group. */
function useWalk({ rows, active, scroll, setActive, show }: Walk): (event: KeyboardEvent) => void {
  const { toggle } = useGantt();
  const isWalking = useRef(false);
  useLayoutEffect(() => {
    if (!isWalking.current) return;
    isWalking.current = false;
    scroll.current?.querySelector<HTMLElement>('.gantt-list [tabindex="0"]')?.focus({ preventScroll: true });
  });
  return (event) => {
    if (event.defaultPrevented || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[active];
    const side = { ArrowLeft: true, ArrowRight: false }[readingKey(event.key)];
    if (row?.kind === 'group' && side !== undefined && row.isFolded !== side) {
      event.preventDefault();
      toggle(row.key);
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = { Home: 0, End: rows.length - 1 }[event.key] ?? active + (by ?? Number.NaN);
    if (!(next >= 0 && next < rows.length)) return;
    event.preventDefault();
    isWalking.current = true;
    show(next);
    setActive(next);
  };
}
