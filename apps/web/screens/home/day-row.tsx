import type { DueAct } from '@kontor/protocol';
import type { MouseEvent } from 'react';
import { formatTime } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { formatMoney } from '../../i18n/numbers.ts';
import { DueDate } from '../../ui/due-date.tsx';
import { Icon, NamedIcon } from '../../ui/icon.tsx';
import type { Day, DayItem } from './use-day.ts';

interface DayRowProps {
  readonly item: DayItem;
  readonly day: Day;
}

/** A due item: the whole row is a link, and its actions replace the date on hover and focus. */
export function DayRow({ item, day }: DayRowProps) {
  const done = item.acts.find(({ isDone }) => isDone);
  const money = item.amount ? formatMoney(item.amount.value, item.amount.currency) : '';
  const act = runOn(item, day);
  const about = [...item.about, money].filter((part) => part !== '').join(' · ');
  return (
    <li
      className={`anchor hovers-within lined last-bare day-row ${item.isLeaving ? 'is-leaving' : ''}`}
      data-key={item.key}
    >
      <div className="stack gap-2h level pad-x-3 day-line">
        {done ? (
          <button
            type="button"
            className="middle anchor above wide-24 high-24 day-tick"
            aria-label={t('{action}: {name}', { action: done.label, name: item.title })}
            title={done.label}
            onClick={(event) => act(event, done)}
          >
            <Icon name="check" size={12} className="anchor" />
          </button>
        ) : (
          <span />
        )}
        <NamedIcon name={item.icon} className="dim day-icon" />
        <a className="line shrink nowrap gap-2h cover-link day-link" href={item.href}>
          <b className="dots semi" dir="auto">
            {item.title}
          </b>
          {about && (
            <span className="mut dots day-about" dir="auto">
              {about}
            </span>
          )}
        </a>
        <span className="small mut medium digits nowrap day-date">
          <DueDate date={item.date} /> {item.at && formatTime(item.at)}
        </span>
        <Icon name="chevron-right" size={14} className="wide-only dim" />
      </div>
      <RowActions item={item} day={day} />
    </li>
  );
}

function runOn(item: DayItem, day: Day) {
  return ({ currentTarget }: MouseEvent<HTMLButtonElement>, act: DueAct) => {
    focusAfter(currentTarget);
    day.run(item, act);
  };
}

function RowActions({ item, day }: DayRowProps) {
  const postpone = day.postpone(item);
  const run = runOn(item, day);
  const name = (label: string) => `${label}: ${item.title}`;
  return (
    <div className="line gap-1 day-acts">
      {item.acts.map((act) => (
        <button
          key={act.name}
          type="button"
          className={`btn day-act ${act.isDone ? 'day-act-done' : ''}`}
          aria-label={name(act.label)}
          aria-keyshortcuts={act.isDone ? 'E' : undefined}
          onClick={(event) => run(event, act)}
        >
          <Icon name="check" className="phone-only" />
          {act.label}
          {act.isDone && <kbd className="wide-only">E</kbd>}
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
          <Icon name="clock" className="phone-only" />
          {t('Tomorrow')}
          <kbd className="wide-only">T</kbd>
        </button>
      )}
    </div>
  );
}

/** Focuses the neighbour of a row that disappears. */
export function focusAfter(inside: HTMLElement): void {
  const row = inside.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  if (row?.contains(document.activeElement)) next?.querySelector<HTMLElement>('.day-link')?.focus();
}
