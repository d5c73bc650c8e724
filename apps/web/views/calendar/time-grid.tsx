import { type CSSProperties, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import {
  dayMs,
  dayOf,
  dayText,
  type Entry,
  formatInteger,
  hourMs,
  hourText,
  isLong,
  isWorkingDay,
  minuteMs,
  oddDay,
  readingKey,
  spanText,
  startOf,
  t,
  timeRange,
  timeText,
  tn,
  weekNumber,
} from '../../door/index.ts';
import { drawnEntries, useCalendar } from './calendar-context.ts';
import { DraftBox, EntryLink } from './entry.tsx';
import { packDay, packRow } from './layout.ts';
import type { Period } from './period.ts';

interface TimeGridProps {
  readonly period: Period;
  /** The keyboard cursor, as a local time. */
  readonly cursor: number;
  readonly onCursor: (local: number) => void;
}

const hours = Array.from({ length: 23 }, (_, index) => index + 1);
const hourHeight = 54;
/** Lines that fit below the title and time of an entry; negative if everything is on one line. */
const linesIn = (minutes: number) => Math.floor(((minutes / 60) * hourHeight - 40) / 15);
const minutesOf = (part: number) => `${(part / 1440) * 100}%`;

/** A day or a week by hours, with all-day entries above. */
export function TimeGrid({ period, cursor, onCursor }: TimeGridProps) {
  const scope = useCalendar();
  const { days } = period;
  const entries = drawnEntries(scope);
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = (day: string) =>
    !entries.some((entry) => entry.start < startOf(day) + dayMs && entry.end > startOf(day));
  // Empty days off are half as wide, but not narrower than their headers.
  const isNarrow = (day: string) => days.length > 1 && isEmpty(day) && !isWorkingDay(scope.calendar.workTime, day);
  const columns = days.map((day) => (isNarrow(day) ? 'minmax(84px, 0.5fr)' : 'minmax(0, 1fr)'));
  useFirstHour(box, entries, days);
  return (
    <div
      ref={box}
      className={`fill anchor scroll surface calendar-week ${days.length === 1 ? 'is-day' : ''}`}
      style={{ '--columns': columns.join(' ') } as CSSProperties}
    >
      <div className="surface stick at-top calendar-top">
        <DayHeads days={days} />
        <LongRow days={days} entries={entries} />
      </div>
      <div className="anchor calendar-hours">
        <HourLabels days={days} />
        {days.map((day) => (
          <DayColumn key={day} day={day} entries={entries} {...{ cursor, onCursor }} />
        ))}
      </div>
    </div>
  );
}

function DayHeads({ days }: { readonly days: readonly string[] }) {
  const { now, notLoaded, openDay } = useCalendar();
  return (
    <div className="lined calendar-heads">
      <span className="tiny dim pad-x-2 self-centre calendar-gutter-head">
        {t('W {n}', { n: weekNumber((days[3] ?? days[0]) as string) })}
      </span>
      {days.map((day) => {
        const odd = oddDay(day);
        return (
          <button
            key={day}
            type="button"
            className={`row nowrap ruled-start shrink hovers focus-in clip pad-x-2h calendar-head ${day === dayOf(now) ? 'accent strong' : 'mut'}`}
            aria-current={day === dayOf(now) ? 'date' : undefined}
            onClick={() => openDay(day)}
          >
            <span className="sr-only">{dayText(day, 'long')}</span>
            <b className={`strong digits tight ${day === dayOf(now) ? 'bg-accent centred' : 'ink'}`} aria-hidden="true">
              {dayText(day, 'day')}
            </b>
            <span aria-hidden="true">{dayText(day, 'weekday')}</span>
            {notLoaded(day) > 0 && (
              <span className="tiny round-m warn warned pad-x-1h calendar-odd-mark">
                {tn('+{n} more', '+{n} more', notLoaded(day))}
              </span>
            )}
            {odd && (
              <span
                className="push tiny round-m warn warned pad-x-1h calendar-odd-mark"
                title={t('The clocks change on this day.')}
              >
                {t('{n} h', { n: formatInteger(odd.hours) })}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** All-day entries, in a row above the hours. */
function LongRow({ days, entries }: { readonly days: readonly string[]; readonly entries: readonly Entry[] }) {
  const { draft, held } = useCalendar();
  const bars = packRow(entries.filter(isLong), days);
  const made = held?.grip.part === 'new' ? held.place : draft;
  const lanes = Math.max(1, ...bars.map(({ lane }) => lane + 1));
  return (
    <div className="scroll calendar-long" role="group" aria-label={t('All day')}>
      <span className="tiny dim pad-x-2 self-centre stick at-top calendar-gutter-head">{t('All day')}</span>
      {days.map((day, index) => (
        <div
          key={day}
          className="ruled-start shrink calendar-long-day"
          data-days={day}
          style={{ gridColumn: index + 2, gridRow: `1 / ${lanes + 2}` }}
        />
      ))}
      {bars.map(({ entry, first, length, lane, isContinued, continues }) => (
        <EntryLink
          key={entry.id}
          entry={entry}
          look="bar"
          isFirst={!isContinued}
          isLast={!continues}
          style={{ gridColumn: `${first + 2} / span ${length}`, gridRow: lane + 1 }}
        />
      ))}
      {made?.isAllDay && <LongDraft days={days} start={made.start} end={made.end} row={lanes + 1} />}
    </div>
  );
}

interface LongDraftProps {
  readonly days: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly row: number;
}

function LongDraft({ days, start, end, row }: LongDraftProps) {
  const inside = days.filter((day) => startOf(day) < end && startOf(day) + dayMs > start);
  const first = days.indexOf(inside[0] ?? '');
  if (first < 0) return null;
  const style = { gridColumn: `${first + 2} / span ${inside.length}`, gridRow: row };
  return <DraftBox style={style} label={spanText({ start, end, isAllDay: true })} />;
}

interface DayColumnProps {
  readonly day: string;
  readonly entries: readonly Entry[];
  readonly cursor: number;
  readonly onCursor: (local: number) => void;
}

function DayColumn({ day, entries, cursor, onCursor }: DayColumnProps) {
  const { calendar, now, draft, held, canCreate } = useCalendar();
  const start = startOf(day);
  const odd = oddDay(day);
  const made = held?.grip.part === 'new' ? held.place : draft;
  const isHere = (local: number) => local >= start && local < start + dayMs;
  const place = (from: number, to: number) => ({
    top: minutesOf((from - start) / minuteMs),
    height: minutesOf((to - from) / minuteMs),
  });
  const state = `${isWorkingDay(calendar.workTime, day) ? '' : 'is-off'} ${isHere(now) ? 'is-today' : ''}`;
  return (
    <div
      className={`anchor ruled-start shrink calendar-day ${state}`}
      data-hours={day}
      role="group"
      aria-label={dayText(day, 'long')}
    >
      {odd && (
        <div
          className={`pin across pass ${odd.hours < 24 ? 'calendar-missing' : 'warned'}`}
          style={place(odd.from, odd.to)}
        />
      )}
      {isHere(now) && (
        <div className="pin across pass bg-bad calendar-now" style={{ top: minutesOf((now - start) / minuteMs) }} />
      )}
      {canCreate && isHere(cursor) && (
        <Cursor cursor={cursor} onCursor={onCursor} style={place(cursor, cursor + hourMs / 2)} />
      )}
      {packDay(entries, day).map(({ entry, from, to, column, columns }) => (
        <EntryLink
          key={entry.id}
          entry={entry}
          look="block"
          isFirst={entry.start >= start}
          isLast={entry.end <= start + dayMs}
          lines={linesIn(to - from)}
          isNarrow={columns > 1}
          style={{
            top: minutesOf(from),
            height: `calc(${minutesOf(to - from)} - 2px)`,
            insetInlineStart: `calc(${(column / columns) * 100}% + 2px)`,
            width: `calc(${100 / columns}% - ${columns === 1 ? 5 : 3}px)`,
          }}
        />
      ))}
      {made && !made.isAllDay && isHere(made.start) && (
        <DraftBox
          style={place(made.start, Math.min(made.end, start + dayMs))}
          label={timeRange(made.start, made.end)}
        />
      )}
    </div>
  );
}

interface CursorProps {
  readonly cursor: number;
  readonly onCursor: (local: number) => void;
  readonly style: CSSProperties;
}

/** The empty time is one tab stop: arrow keys move the cursor, Enter creates an entry there. */
function Cursor({ cursor, onCursor, style }: CursorProps) {
  const { create } = useCalendar();
  const button = useRef<HTMLButtonElement>(null);
  const wasFocused = useRef(false);
  // In another column the cursor is a new element, which needs the focus again.
  useEffect(() => {
    button.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const keyed = (event: KeyboardEvent) => {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const half = hourMs / 2;
    const by = { ArrowUp: -half, ArrowDown: half, ArrowLeft: -dayMs, ArrowRight: dayMs }[readingKey(event.key)];
    if (by === undefined) return;
    event.preventDefault();
    wasFocused.current = true;
    onCursor(cursor + by);
  };
  return (
    <button
      ref={button}
      type="button"
      className="round-s pin calendar-cursor"
      data-cursor=""
      style={style}
      aria-label={t('New entry on {time}', { time: spanText({ start: cursor, end: cursor, isAllDay: false }) })}
      onKeyDown={keyed}
      onClick={() => create({ start: cursor, end: cursor + hourMs, isAllDay: false })}
    />
  );
}

/** A label is as high as so many minutes. */
const labelMinutes = 18;

/** The time that it is now takes the place of an hour that is close. */
function HourLabels({ days }: { readonly days: readonly string[] }) {
  const { now } = useCalendar();
  const day = dayOf(now);
  const minute = days.includes(day) ? (now - startOf(day)) / minuteMs : null;
  const isCovered = (hour: number) => minute !== null && Math.abs(hour * 60 - minute) < labelMinutes;
  return (
    <div className="anchor calendar-gutter" aria-hidden="true">
      {hours.map((hour) =>
        isCovered(hour) ? null : (
          <span className="tiny dim digits nowrap" key={hour} style={{ top: minutesOf(hour * 60) }}>
            {hourText(hour * hourMs)}
          </span>
        ),
      )}
      {minute !== null && (
        <span
          className="round-4 tiny digits nowrap pad-x-1 bg-bad strong calendar-now-label"
          style={{ top: minutesOf(minute) }}
        >
          {timeText(now)}
        </span>
      )}
    </div>
  );
}

/** Scrolls to shortly before the first entry, or to the start of the working day. */
function useFirstHour(
  box: React.RefObject<HTMLDivElement | null>,
  entries: readonly Entry[],
  days: readonly string[],
): void {
  const key = days[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where a period is opened; entries that move do not scroll it.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const starts = days.flatMap((day) => packDay(entries, day).map(({ from }) => from));
    const first = Math.min(7.5 * 60, ...starts.map((from) => Math.max(0, from - 30)));
    const body = element.querySelector<HTMLElement>('.calendar-hours');
    element.scrollTop = ((body?.offsetHeight ?? 0) * first) / 1440;
  }, [key]);
}
