import type { CSSProperties, MouseEvent } from 'react';
import {
  addDays,
  Button,
  dayOf,
  daysBetween,
  daysOf,
  dayText,
  type Entry,
  isLong,
  recordHref,
  spanText,
  t,
  timeText,
  tn,
  weekStart,
} from '../../door/index.ts';
import { colourOf, useCalendar } from './calendar-context.ts';
import { entryLines, looksOf } from './entry.tsx';
import type { Period } from './period.ts';

interface AgendaProps {
  readonly period: Period;
  readonly onDate: (day: string) => void;
}

/** A list of days with their entries; empty days are left out. */
export function Agenda({ period, onDate }: AgendaProps) {
  const scope = useCalendar();
  const byDay = new Map<string, Entry[]>();
  for (const entry of scope.planning.shown) {
    for (const day of daysOf(entry, period.from, period.to)) byDay.set(day, [...(byDay.get(day) ?? []), entry]);
  }
  const days = Array.from({ length: daysBetween(period.from, period.to) }, (_, at) => addDays(period.from, at)).filter(
    (day) => byDay.has(day) || scope.notLoaded(day) > 0,
  );
  return (
    <div className="column fill calendar-agenda">
      <WeekStrip date={period.date} onDate={onDate} />
      <div className="fill scroll calendar-agenda-days">
        {days.length === 0 && <p className="dim centred pad-6">{t('Nothing planned in these weeks.')}</p>}
        {days.map((day) => (
          <AgendaDay key={day} day={day} entries={byDay.get(day) ?? []} />
        ))}
      </div>
    </div>
  );
}

/** The week around a day, with dots for its entries. A swipe moves to the next week. */
function WeekStrip({ date, onDate }: { readonly date: string; readonly onDate: (day: string) => void }) {
  const scope = useCalendar();
  const first = weekStart(date);
  const days = Array.from({ length: 7 }, (_, index) => addDays(first, index));
  const shades = (day: string) =>
    scope.planning.shown.filter((entry) => daysOf(entry, day, addDays(day, 1)).length > 0).slice(0, 4);
  return (
    <nav
      className="stack gap-0 seven lined rigid pad-2 pad-t-1 phone-only calendar-strip"
      aria-label={t('Week')}
      {...swipe((by) => onDate(addDays(date, by * 7)))}
    >
      {days.map((day) => (
        <button
          key={day}
          type="button"
          className="stack gap-half items-centre round-m"
          aria-current={day === dayOf(scope.now) ? 'date' : undefined}
          aria-pressed={day === date}
          onClick={() => onDate(day)}
        >
          <span className="sr-only">{dayText(day, 'long')}</span>
          <span className="tiny mut" aria-hidden="true">
            {dayText(day, 'weekday')}
          </span>
          <b
            className={`middle circle square-36 large medium digits ${day === dayOf(scope.now) ? 'bg-accent' : day === date ? 'tinted accent' : ''}`}
            aria-hidden="true"
          >
            {dayText(day, 'day')}
          </b>
          <span className="line gap-half centre calendar-dots">
            {shades(day).map((entry) => (
              <i className="circle bg-own" key={entry.id} style={{ '--c': colourOf(scope, entry) } as CSSProperties} />
            ))}
          </span>
        </button>
      ))}
    </nav>
  );
}

const swipeWidth = 60;

/** A quick horizontal touch movement. */
function swipe(step: (by: 1 | -1) => void) {
  let from: { readonly x: number; readonly y: number } | null = null;
  return {
    onTouchStart: (event: React.TouchEvent) => {
      const touch = event.touches[0];
      from = touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: (event: React.TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!touch || !from) return;
      const [across, down] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(across) < swipeWidth || Math.abs(across) < 2 * Math.abs(down)) return;
      const isOnwards = across < 0 !== (document.documentElement.dir === 'rtl');
      step(isOnwards ? 1 : -1);
    },
  };
}

function AgendaDay({ day, entries }: { readonly day: string; readonly entries: readonly Entry[] }) {
  const { now, notLoaded, openDay } = useCalendar();
  const more = notLoaded(day);
  const words = dayText(day, 'long');
  const today = dayOf(now);
  const title =
    day === today
      ? t('Today, {day}', { day: words })
      : day === addDays(today, 1)
        ? t('Tomorrow, {day}', { day: words })
        : words;
  const sorted = entries.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)) || a.start - b.start);
  return (
    <section className="calendar-agenda-day" aria-label={title} data-agenda={day}>
      <h3 className="stick at-top above line apart lined canvas pad-2-4">
        {title}
        <span className="regular small dim">{tn('{n} entry', '{n} entries', entries.length + more)}</span>
      </h3>
      <ul>
        {sorted.map((entry) => (
          <li key={entry.id}>
            <AgendaRow entry={entry} day={day} />
          </li>
        ))}
      </ul>
      {more > 0 && <Button onClick={() => openDay(day)}>{tn('+{n} more', '+{n} more', more)}</Button>}
    </section>
  );
}

function AgendaRow({ entry, day }: { readonly entry: Entry; readonly day: string }) {
  const scope = useCalendar();
  const { search, workspace, now, showCard } = scope;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    showCard(entry, event.currentTarget as HTMLElement);
  };
  const isWhole = isLong(entry);
  const [from, to] = [dayOf(entry.start) === day, dayOf(Math.max(entry.start, entry.end - 1)) === day];
  return (
    <a
      href={recordHref(search, workspace, entry.id)}
      className={`line gap-3 lined hovers focus-in ink calendar-row ${looksOf(scope, entry)} ${entry.end < now ? 'is-past' : ''}`}
      style={{ '--c': colourOf(scope, entry) } as CSSProperties}
      data-entry={entry.id}
      title={spanText(entry)}
      onClick={open}
    >
      <span className="column rigid small mut digits nowrap centre at-end calendar-row-time">
        {isWhole ? (
          t('All day')
        ) : (
          <>
            <b className="semi ink">{from ? timeText(entry.start) : '…'}</b>
            {entry.hasEnd && <span>{to ? timeText(entry.end) : '…'}</span>}
          </>
        )}
      </span>
      <span className="rigid bg-own calendar-row-mark" />
      <span className="column shrink centre calendar-row-text">
        <b className="cut cut-wide semi">{entry.title}</b>
        <span className="cut cut-wide small mut">{entryLines(workspace, entry).join(' · ')}</span>
      </span>
    </a>
  );
}
