import { type DayData, type DueKind, daysBetween } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { locale, t, tn } from '../../i18n/messages.ts';
import { isTyping } from '../../navigation/keys.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { DayRow, focusAfter } from './day-row.tsx';
import type { Day, DayItem } from './use-day.ts';
import './day.css';

interface DayCardProps {
  readonly day: Day;
  readonly kinds: readonly DueKind[];
  readonly next: DayData['next'];
  /** Opens the form of a new activity; absent if the user has no records to plan one for. */
  readonly onPlan?: () => void;
}

/** Everything that is due, in one list with tabs as filters. */
export function DayCard({ day, kinds, next, onPlan }: DayCardProps) {
  const [chosen, setChosen] = useState('');
  const [isWhole, setWhole] = useState(false);
  const isPhone = usePhone();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, day);
  const tab = day.items.some(({ model }) => model === chosen) ? chosen : '';
  const some = day.items.filter(({ model }) => tab === '' || model === tab);
  const shown = isWhole ? some : some.slice(0, isPhone ? 5 : 8);
  const hidden = some.length - shown.length;
  return (
    <section className="shrink surface framed round-l shade day" aria-labelledby="day-title">
      <header className="row lined least-44 pad-s-4 pad-e-2 day-head">
        <h2 className="rigid normal" id="day-title">
          {t('My day')}
        </h2>
        <Tabs items={day.items} kinds={kinds} chosen={tab} isPhone={isPhone} onChoose={setChosen} />
        {hasFeature('activities') && (
          <a className="btn btn-bare push small day-all" href="/web?action=mail.activities">
            {t('My activities')}
          </a>
        )}
        {onPlan && (
          <Button kind="bare" icon="plus" className="small" aria-label={t('New activity')} onClick={onPlan}>
            {t('Activity')}
          </Button>
        )}
      </header>
      {day.items.length === 0 && <NothingDue next={next} today={day.today} />}
      <ul ref={list} className="day-list" onKeyDown={moveFocus}>
        {shown.map((item) => (
          <DayRow key={item.key} item={item} day={day} />
        ))}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          className="full medium start hovers accent pad-x-4 topped day-more"
          onClick={() => setWhole(true)}
        >
          {tn('{n} more', '{n} more', hidden)}
        </button>
      )}
    </section>
  );
}

interface TabsProps {
  readonly items: readonly DayItem[];
  readonly kinds: readonly DueKind[];
  readonly chosen: string;
  readonly isPhone: boolean;
  readonly onChoose: (model: string) => void;
}

function Tabs({ items, kinds, chosen, isPhone, onChoose }: TabsProps) {
  const open = items.filter((item) => !item.isLeaving);
  const count = (model: string) => open.filter((item) => model === '' || item.model === model).length;
  const isMore = (model: string) => kinds.some((kind) => kind.isMore && (model === '' || kind.model === model));
  const tabs = [{ model: '', label: t('All') }, ...kinds.filter(({ model }) => count(model) > 0)].map((kind) => ({
    ...kind,
    count: `${count(kind.model)}${isMore(kind.model) ? '+' : ''}`,
  }));
  if (open.length === 0) return null;
  if (isPhone) {
    return (
      <select
        className="push mut target-high bare no-border"
        aria-label={t('Show')}
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
      >
        {tabs.map((tab) => (
          <option key={tab.model} value={tab.model}>
            {`${tab.label} ${tab.count}`}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div role="group" className="line gap-half before-2 day-tabs" aria-label={t('Show')}>
      {tabs.map((tab) => (
        <button
          className="target-high pad-x-2 round rigid small mut medium hovers presses"
          key={tab.model}
          type="button"
          aria-pressed={tab.model === chosen}
          onClick={() => onChoose(tab.model)}
        >
          {tab.label} <span className={`regular digits ${tab.model === chosen ? 'mut' : 'dim'}`}>{tab.count}</span>
        </button>
      ))}
    </div>
  );
}

function NothingDue({ next, today }: { readonly next: DayData['next']; readonly today: string }) {
  return (
    <p className="stack mut centred items-centre day-none">
      <Icon name="circle-check" size={22} className="ok" />
      {next
        ? t('Nothing due. Next: {name}, {day}', { name: next.title, day: dayWords(next.date, today) })
        : t('Nothing due.')}
    </p>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.day-link')];
  const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement));
  if (!step || at < 0) return;
  event.preventDefault();
  links[at + step]?.focus();
}

/** E and T act on the focused row, otherwise on the one under the pointer. */
function useRowKeys(list: { readonly current: HTMLUListElement | null }, day: Day): void {
  const latest = useRef(day);
  latest.current = day;
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !isTyping(event);
      const row = isPlain ? targetRow(list.current) : null;
      const item = latest.current.items.find(({ key, isLeaving }) => key === row?.dataset.key && !isLeaving);
      if (!row || !item) return;
      const done = item.acts.find(({ isDone }) => isDone);
      const postpone = latest.current.postpone(item);
      if (event.key.toLowerCase() === 'e' && done) {
        focusAfter(row);
        latest.current.run(item, done);
      } else if (event.key.toLowerCase() === 't' && postpone) postpone();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [list]);
}

/** None while the focus is in a menu or a dialog. */
function targetRow(list: HTMLUListElement | null): HTMLElement | null {
  const focused = document.activeElement;
  const isOnPage = focused === document.body || document.getElementById('main')?.contains(focused);
  if (!isOnPage) return null;
  return list?.querySelector<HTMLElement>('li:focus-within') ?? list?.querySelector<HTMLElement>('li:hover') ?? null;
}

/** Today, tomorrow, a weekday of this week, or a date. */
function dayWords(date: string, today: string): string {
  const days = daysBetween(today, date);
  if (days < 2) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day');
  const parts = days < 7 ? { weekday: 'long' as const } : { day: 'numeric' as const, month: 'short' as const };
  return new Intl.DateTimeFormat(locale(), { ...parts, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
