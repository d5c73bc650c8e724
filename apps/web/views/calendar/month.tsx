import { type CSSProperties, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import {
  dayMs,
  dayOf,
  dayText,
  type Entry,
  isLong,
  isWorkingDay,
  Popover,
  readingKey,
  spanText,
  startOf,
  t,
  tn,
  usePhone,
  weekdayNames,
} from '../../door/index.ts';
import { colourOf, drawnEntries, useCalendar } from './calendar-context.ts';
import { DraftBox, EntryLink } from './entry.tsx';
import { type Bar, packRow } from './layout.ts';
import type { Period } from './period.ts';

interface MonthProps {
  readonly period: Period;
  readonly cursor: number;
  readonly onCursor: (local: number) => void;
}

const laneHeight = 26;
const headHeight = 28;

/** The weeks of a month; entries that do not fit into a day are counted. */
export function Month({ period, cursor, onCursor }: MonthProps) {
  const scope = useCalendar();
  const grid = useRef<HTMLDivElement>(null);
  const weeks = Array.from({ length: period.days.length / 7 }, (_, index) =>
    period.days.slice(index * 7, index * 7 + 7),
  );
  const lanes = useLanes(grid, weeks.length);
  const entries = drawnEntries(scope);
  const keyed = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('[data-cursor]')) return;
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      const start = startOf(dayOf(cursor));
      if (scope.canCreate) scope.create({ start, end: start + dayMs, isAllDay: true });
      else scope.openDay(dayOf(cursor));
    }
    const week = 7 * dayMs;
    const by = { ArrowLeft: -dayMs, ArrowRight: dayMs, ArrowUp: -week, ArrowDown: week }[readingKey(event.key)];
    if (by === undefined) return;
    event.preventDefault();
    onCursor(cursor + by);
  };
  return (
    <div className="column fill calendar-month" role="grid" aria-label={period.title} ref={grid} onKeyDown={keyed}>
      <div className="rigid lined stack gap-0 seven calendar-month-head" role="row" tabIndex={-1}>
        {weekdayNames().map((name, index) => (
          <span
            className="small dim medium pad-y-1h pad-x-2h"
            key={name}
            role="columnheader"
            tabIndex={-1}
            aria-label={weekdayNames('long')[index]}
          >
            {name}
          </span>
        ))}
      </div>
      {weeks.map((days) => (
        <Week key={days[0]} {...{ days, period, entries, lanes, cursor }} />
      ))}
    </div>
  );
}

interface WeekProps {
  readonly days: readonly string[];
  readonly period: Period;
  readonly entries: readonly Entry[];
  readonly lanes: number;
  readonly cursor: number;
}

function Week({ days, period, entries, lanes, cursor }: WeekProps) {
  const { held, draft, notLoaded } = useCalendar();
  const bars = packRow(entries, days);
  const made = held?.grip.part === 'new' ? held.place : draft;
  return (
    <div className="lined share stack gap-0 seven calendar-month-week" role="row" tabIndex={-1}>
      {days.map((day, index) => {
        const here = bars.filter(({ first, length }) => index >= first && index < first + length);
        const shown = here.filter((bar) => bar.lane < roomOf(bar, bars, lanes));
        const isMade = made && startOf(day) < made.end && startOf(day) + dayMs > made.start;
        return (
          <MonthDay
            key={day}
            {...{ day, bars: here, lanes, isMade: Boolean(isMade) }}
            starting={shown.filter((bar) => bar.first === index)}
            hidden={here.length - shown.length + notLoaded(day)}
            isOther={day.slice(0, 7) !== period.date.slice(0, 7)}
            isCursor={day === dayOf(cursor)}
            draft={isMade && dayOf(Math.max(made.start, startOf(days[0] as string))) === day ? made : null}
          />
        );
      })}
    </div>
  );
}

/** If not all entries fit, the last lane shows how many more there are, on each day that a hidden bar covers. */
function roomOf(bar: Bar, bars: readonly Bar[], lanes: number): number {
  const crossing = bars.filter(({ first, length }) => first < bar.first + bar.length && bar.first < first + length);
  return crossing.some(({ lane }) => lane >= lanes) ? lanes - 1 : lanes;
}

interface MonthDayProps {
  readonly day: string;
  readonly bars: readonly Bar[];
  readonly starting: readonly Bar[];
  readonly hidden: number;
  readonly lanes: number;
  readonly isOther: boolean;
  readonly isCursor: boolean;
  readonly isMade: boolean;
  readonly draft: { readonly start: number; readonly end: number; readonly isAllDay: boolean } | null;
}

function MonthDay({ day, bars, starting, hidden, lanes, isOther, isCursor, isMade, draft }: MonthDayProps) {
  const scope = useCalendar();
  const isPhone = usePhone();
  const cell = useRef<HTMLDivElement>(null);
  const isWalked = useRef(false);
  useLayoutEffect(() => {
    const isInGrid = document.activeElement?.matches('.calendar-month [data-cursor]');
    if (isCursor && !isWalked.current && isInGrid) cell.current?.focus();
    isWalked.current = isCursor;
  }, [isCursor]);
  const isToday = day === dayOf(scope.now);
  const state = `${isOther ? 'is-other' : ''} ${isToday ? 'is-today' : ''} ${isWorkingDay(scope.calendar.workTime, day) ? '' : 'is-off'} ${isMade ? 'is-made' : ''}`;
  return (
    <div
      ref={cell}
      role="gridcell"
      className={`anchor focus-in ruled-start calendar-cell ${state}`}
      data-days={day}
      data-cursor=""
      tabIndex={isCursor ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
    >
      <button
        type="button"
        className="semi digits centred high-24 hovers calendar-number"
        tabIndex={-1}
        onClick={() => scope.openDay(day)}
      >
        <span className="sr-only">{t('Open {day}', { day: dayText(day, 'long') })}</span>
        <span aria-hidden="true">{dayText(day, 'day')}</span>
      </button>
      <span className="sr-only">{tn('{n} entry', '{n} entries', bars.length + scope.notLoaded(day))}</span>
      {isPhone ? (
        <span className="line gap-half centre calendar-dots" aria-hidden="true">
          {bars.slice(0, 4).map(({ entry }) => (
            <i className="circle bg-own" key={entry.id} style={{ '--c': colourOf(scope, entry) } as CSSProperties} />
          ))}
          {scope.notLoaded(day) > 0 && <i className="circle bg-own" />}
        </span>
      ) : (
        <>
          {starting.map(({ entry, length, lane, isContinued, continues }) => (
            <EntryLink
              key={entry.id}
              entry={entry}
              look={isLong(entry) || length > 1 ? 'bar' : 'line'}
              isFirst={!isContinued}
              isLast={!continues}
              style={{ top: headHeight + lane * laneHeight, width: `calc(${length * 100}% + ${length - 1}px - 6px)` }}
            />
          ))}
          {draft && <DraftBox style={{ top: headHeight }} label={spanText(draft)} />}
          {hidden > 0 && <More {...{ day, bars }} count={hidden} top={headHeight + (lanes - 1) * laneHeight} />}
        </>
      )}
    </div>
  );
}

interface MoreProps {
  readonly day: string;
  readonly count: number;
  readonly bars: readonly Bar[];
  readonly top: number;
}

/** "+3 more": opens all entries of the day. */
function More({ day, count, bars, top }: MoreProps) {
  const { notLoaded, openDay } = useCalendar();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const sorted = bars.map(({ entry }) => entry).toSorted((a, b) => a.start - b.start);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="small mut round-s high-24 pad-x-1h hovers inks calendar-more"
        style={{ top }}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        // The day view loads the entries that did not come with the month.
        onClick={() => (notLoaded(day) > 0 ? openDay(day) : setOpen(!isOpen))}
      >
        {tn('+{n} more', '+{n} more', count)}
      </button>
      {isOpen && (
        <Popover anchor={button} onClose={() => setOpen(false)} className="pad-2 calendar-all">
          <h3>{dayText(day, 'long')}</h3>
          {sorted.map((entry) => (
            <EntryLink key={entry.id} entry={entry} look={isLong(entry) ? 'bar' : 'line'} />
          ))}
        </Popover>
      )}
    </>
  );
}

/** How many entries fit into a day. */
function useLanes(grid: RefObject<HTMLElement | null>, weeks: number): number {
  const [lanes, setLanes] = useState(3);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of weeks changes their height, not that of the grid.
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const look = () => {
      const week = element.querySelector<HTMLElement>('.calendar-month-week');
      setLanes(Math.max(1, Math.floor(((week?.clientHeight ?? 0) - headHeight) / laneHeight)));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid, weeks]);
  return lanes;
}
