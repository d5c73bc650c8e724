import { addDays, addMonths, weekStartOf } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatBucket, formatDate, weekRule } from '../i18n/dates.ts';
import { today } from '../i18n/local-time.ts';
import { locale, t } from '../i18n/messages.ts';
import { formatInteger } from '../i18n/numbers.ts';
import { Button, IconButton } from './button.tsx';
import './month-grid.css';

interface MonthGridProps {
  /** `YYYY-MM-DD`, or empty. */
  readonly value: string;
  readonly onChoose: (day: string | null) => void;
  /** Marks days. If given, the grid is part of the page: it does not take the focus, and the day cannot be cleared. */
  readonly isMarked?: (day: string) => boolean;
}

/** A month to choose a day from, with the mouse or the arrow keys. */
export function MonthGrid({ value, onChoose, isMarked }: MonthGridProps) {
  const now = today();
  const [active, setActive] = useState(value || now);
  const grid = useRef<HTMLTableElement>(null);
  const month = active.slice(0, 7);
  const isWalking = useRef(!isMarked);
  useEffect(() => {
    if (isWalking.current) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
    isWalking.current = false;
  }, [active]);
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') onChoose(active);
    const next = moved(active, event);
    isWalking.current = next !== null;
    if (next) setActive(next);
    if (!next && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="month">
      <MonthHead month={month} onShift={(by) => setActive(addMonths(active, by))} />
      <table className="above-1 below-1" ref={grid} role="grid" aria-label={formatBucket(month)} onKeyDown={keyed}>
        <thead>
          <tr>
            {weekdayNames('long').map((name, index) => (
              <th key={name} scope="col" abbr={name}>
                {tinyWeekdayNames()[index]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className={`pad-0 ${isMarked?.(day) ? 'is-marked' : ''}`}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === active ? 0 : -1}
                    className={day.startsWith(month) ? '' : 'is-other'}
                    aria-pressed={day === value}
                    aria-current={day === now ? 'date' : undefined}
                    aria-label={formatDate(day)}
                    onClick={() => onChoose(day)}
                  >
                    {formatInteger(Number(day.slice(8)))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!isMarked && <MonthFoot hasValue={value !== ''} onChoose={onChoose} />}
    </div>
  );
}

function MonthHead({ month, onShift }: { readonly month: string; readonly onShift: (months: number) => void }) {
  return (
    <header className="row apart">
      <IconButton icon="chevron-left" label={t('Previous month')} onClick={() => onShift(-1)} />
      <strong className="strong" aria-live="polite">
        {formatBucket(month)}
      </strong>
      <IconButton icon="chevron-right" label={t('Next month')} onClick={() => onShift(1)} />
    </header>
  );
}

function MonthFoot({ hasValue, onChoose }: Pick<MonthGridProps, 'onChoose'> & { readonly hasValue: boolean }) {
  return (
    <footer className="row apart">
      <Button kind="bare" onClick={() => onChoose(today())}>
        {t('Today')}
      </Button>
      {hasValue && (
        <Button kind="bare" onClick={() => onChoose(null)}>
          {t('Clear')}
        </Button>
      )}
    </footer>
  );
}

function moved(day: string, { key, shiftKey }: KeyboardEvent): string | null {
  const step = document.documentElement.dir === 'rtl' ? -1 : 1;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -step);
    case 'ArrowRight':
      return addDays(day, step);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'PageUp':
      return addMonths(day, shiftKey ? -12 : -1);
    case 'PageDown':
      return addMonths(day, shiftKey ? 12 : 1);
    case 'Home':
      return weekStart(day);
    case 'End':
      return addDays(weekStart(day), 6);
    default:
      return null;
  }
}

/** Always six weeks, so that the height is the same for every month. */
function weeksOf(month: string): readonly (readonly string[])[] {
  const first = weekStart(`${month}-01`);
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(first, week * 7 + index)),
  );
}

/** The first day of the week: 1 is Monday and 7 is Sunday, as in ISO 8601. */
export function firstWeekday(): number {
  return weekRule().start;
}

/** Weekday names for a month that is a few centimetres wide: some languages, such as Arabic, have no short ones but letters. */
export function tinyWeekdayNames(): readonly string[] {
  const names = weekdayNames();
  return names.some((name) => name.length > 4) ? weekdayNames('narrow') : names;
}

/** Weekday names, starting with the first day of the week: `Mon`, `Tue`, … */
export function weekdayNames(style: 'narrow' | 'short' | 'long' = 'short'): readonly string[] {
  const name = new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' });
  // 5 January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, index) => name.format(new Date(Date.UTC(1970, 0, 4 + firstWeekday() + index))));
}

/** The first day of the week that contains the date. */
export function weekStart(iso: string): string {
  return weekStartOf(iso, firstWeekday());
}
