import { addDays, type DueAct, daysBetween } from '@kontor/protocol';
import type { MouseEvent } from 'react';
import { formatTime } from '../../i18n/dates.ts';
import { locale, t, tn } from '../../i18n/messages.ts';
import { formatMoney } from '../../i18n/numbers.ts';
import { Icon, NamedIcon } from '../../ui/icon.tsx';
import type { Day, DayItem } from './use-day.ts';

interface DayRowProps {
  readonly item: DayItem;
  readonly day: Day;
}

/** One thing to see to: the whole row opens it, its acts take the place of the date while it has the pointer or the focus. */
export function DayRow({ item, day }: DayRowProps) {
  const done = item.acts.find(({ isDone }) => isDone);
  const money = item.amount ? formatMoney(item.amount.value, item.amount.currency) : '';
  const act = runOn(item, day);
  const about = [...item.about, money].filter((part) => part !== '').join(' · ');
  return (
    <li className={`day-row ${item.isLeaving ? 'is-leaving' : ''}`} data-key={item.key}>
      <div className="day-line">
        {done ? (
          <button
            type="button"
            className="day-tick"
            aria-label={t('{action}: {name}', { action: done.label, name: item.title })}
            title={done.label}
            onClick={(event) => act(event, done)}
          >
            <Icon name="check" size={12} />
          </button>
        ) : (
          <span />
        )}
        <NamedIcon name={item.icon} className="day-icon" />
        <a className="day-link" href={item.href}>
          <b>{item.title}</b>
          {about && <span className="day-about">{about}</span>}
        </a>
        <DueDate item={item} today={day.today} />
        <Icon name="chevron-right" size={14} className="day-chevron" />
      </div>
      <Acts item={item} day={day} />
    </li>
  );
}

function runOn(item: DayItem, day: Day) {
  return ({ currentTarget }: MouseEvent<HTMLButtonElement>, act: DueAct) => {
    focusAfter(currentTarget);
    day.run(item, act);
  };
}

function Acts({ item, day }: DayRowProps) {
  const postpone = day.postpone(item);
  const run = runOn(item, day);
  const name = (label: string) => `${label}: ${item.title}`;
  return (
    <div className="day-acts">
      {item.acts.map((act) => (
        <button
          key={act.name}
          type="button"
          className={`btn day-act ${act.isDone ? 'day-act-done' : ''}`}
          aria-label={name(act.label)}
          aria-keyshortcuts={act.isDone ? 'E' : undefined}
          onClick={(event) => run(event, act)}
        >
          <Icon name="check" className="day-act-icon" />
          {act.label}
          {act.isDone && <kbd>E</kbd>}
        </button>
      ))}
      {postpone && (
        <button
          type="button"
          className="btn day-act day-act-later"
          aria-label={name(t('Tomorrow'))}
          aria-keyshortcuts="T"
          onClick={postpone}
        >
          <Icon name="clock" className="day-act-icon" />
          {t('Tomorrow')}
          <kbd>T</kbd>
        </button>
      )}
    </div>
  );
}

/** The row goes, so the focus goes on to its neighbour. */
export function focusAfter(inside: HTMLElement): void {
  const row = inside.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  if (row?.contains(document.activeElement)) next?.querySelector<HTMLElement>('.day-link')?.focus();
}

function DueDate({ item, today }: { readonly item: DayItem; readonly today: string }) {
  const { date, at } = item;
  const late = daysBetween(date, today);
  const look = late > 0 ? 'bad' : late === 0 ? 'warn' : 'calm';
  const words = late > 0 ? tn('{n} day late', '{n} days late', late) : dayWords(date, today);
  return (
    <time className={`day-date day-date-${look}`} dateTime={at ?? date}>
      {at && late <= 0 ? `${words} ${formatTime(at)}` : words}
    </time>
  );
}

/** Today, Tomorrow, a weekday of this week, or a date. */
export function dayWords(date: string, today: string): string {
  if (date === today) return t('Today');
  if (date === addDays(today, 1)) return t('Tomorrow');
  const isNear = daysBetween(today, date) < 7;
  const parts = isNear ? { weekday: 'long' as const } : { day: 'numeric' as const, month: 'short' as const };
  return new Intl.DateTimeFormat(locale(), { ...parts, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
