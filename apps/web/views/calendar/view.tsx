import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  Button,
  type CalendarArch,
  type CalendarMode,
  dayOf,
  goTo,
  hourMs,
  IconButton,
  MoreMenu,
  openRecord,
  PanelHost,
  PeriodBar,
  Popover,
  prefetchForm,
  ScaleSwitch,
  type Span,
  saveSpan,
  startOf,
  t,
  tn,
  today,
  useAddToBoard,
  useNow,
  usePhone,
  usePlanning,
  usePlanningKeys,
  type ViewProps,
  WorkspaceBar,
  type WorkspacePayload,
} from '../../door/index.ts';
import { Agenda } from './agenda.tsx';
import { CalendarProvider, type CalendarScope, countNotLoaded, type TimeGrip } from './calendar-context.ts';
import { EntryCard, type OpenCard } from './entry-card.tsx';
import { Month } from './month.tsx';
import { modes, type Period, periodOf, stepDate } from './period.ts';
import { QuickEntry } from './quick-entry.tsx';
import { asksScope, type MovedEntry, ScopeDialog } from './scope-dialog.tsx';
import { Side } from './side.tsx';
import { TimeGrid } from './time-grid.tsx';
import { useCalendarDrag } from './use-calendar-drag.ts';
import './styles.css';
import './entry.css';
import './week.css';
import './month.css';
import './agenda.css';

/** Records in a calendar: month, week, day and agenda. */
export function CalendarView(props: ViewProps) {
  const { workspace, search } = props;
  const calendar = workspace.arch.calendar as CalendarArch;
  const planning = usePlanning(workspace, calendar, search);
  const isPhone = usePhone();
  // On a phone a month or a week opens as an agenda, unless the user asked for it.
  const isTooWide =
    isPhone && search.extra.scale === undefined && calendar.mode !== 'agenda' && calendar.mode !== 'day';
  useEffect(() => {
    if (isTooWide) goTo(search, { scale: 'agenda' }, true);
  }, [isTooWide, search]);
  const { fields } = planning;
  return fields && <CalendarScreen {...props} calendar={calendar} planning={planning} fields={fields} />;
}

interface CalendarScreenProps extends ViewProps, Pick<CalendarScope, 'calendar' | 'planning' | 'fields'> {}

function CalendarScreen({ workspace, search, isLoading, calendar, planning, fields }: CalendarScreenProps) {
  const root = useRef<HTMLDivElement>(null);
  const now = useNow();
  const date = search.extra.date ?? calendar.date;
  const asked = modes.find(({ value }) => value === search.extra.scale)?.value;
  const period = useMemo(() => periodOf(asked ?? calendar.mode, date), [asked, calendar.mode, date]);
  const [draft, setDraft] = useState<Span | null>(null);
  const [moved, setMoved] = useState<MovedEntry | null>(null);
  const [card, setCard] = useState<OpenCard | null>(null);
  const [cursor, setCursor] = useCursor(period, now, search);
  const canCreate = calendar.quickCreate && workspace.arch.rights.create;
  const create = (span: Span) => setDraft(span);
  const drop = (grip: TimeGrip, span: Span) => {
    if (!grip.entry) create(span);
    else if (asksScope(calendar, grip.entry, span)) setMoved({ entry: grip.entry, span });
    else void saveSpan(workspace, fields, { entry: grip.entry, span });
  };
  const held = useCalendarDrag({ root, fields, entries: planning.shown, canCreate, cursor, drop });
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  const notLoaded = useMemo(() => countNotLoaded(calendar, planning), [calendar, planning]);
  const openDay = (day: string) => goTo(search, { date: day, scale: 'day' });
  const scope: CalendarScope = {
    ...{ workspace, calendar, search, fields, planning, held, draft, now, canCreate, notLoaded, create, openDay },
    showCard: (entry, anchor) => setCard({ id: entry.id, anchor }),
  };
  const go = useGo(search, period);
  const shared = { period, cursor, onCursor: setCursor };
  return (
    <CalendarProvider value={scope}>
      <CalendarBar
        {...{ workspace, search, period, go }}
        count={calendar.dayCounts ? null : countIn(planning.shown, period)}
      />
      <Notices workspace={workspace} />
      <div className={`fill line calendar-body ${isLoading ? 'is-stale' : ''}`}>
        <div className="column grow calendar-main" ref={root} onKeyDown={walkEntries}>
          {period.mode === 'month' && <Month {...shared} />}
          {(period.mode === 'week' || period.mode === 'day') && <TimeGrid {...shared} />}
          {period.mode === 'agenda' && <Agenda period={period} onDate={go.toDate} />}
        </div>
        <aside className="rigid scroll pad-2-4 ruled-start calendar-side" aria-label={t('Calendar')}>
          <Side period={period} onDate={go.toDate} />
        </aside>
      </div>
      {draft && <QuickEntry key={draft.start} span={draft} root={root} onClose={() => setDraft(null)} />}
      {card && <EntryCard key={card.id} card={card} onClose={() => setCard(null)} />}
      {moved && <ScopeDialog {...moved} onClose={() => setMoved(null)} />}
      <PhoneFoot {...{ workspace, search, period, go, canCreate }} />
      <PanelHost />
    </CalendarProvider>
  );
}

interface Go {
  toDate(day: string): void;
  toMode(mode: CalendarMode): void;
  today(): void;
  step(by: 1 | -1): void;
}

/** Navigation to other periods; each has a URL. */
function useGo(search: ViewProps['search'], period: Period): Go {
  const toDate = (day: string) => goTo(search, { date: day });
  const toMode = (mode: CalendarMode) => goTo(search, { scale: mode, date: period.date });
  const toToday = () => toDate(today());
  const step = (by: 1 | -1) => toDate(stepDate(period, by));
  const letters = Object.fromEntries(modes.map(({ value, keys }) => [keys.toLowerCase(), () => toMode(value)]));
  usePlanningKeys({ ...letters, t: toToday }, step);
  return { toDate, toMode, today: toToday, step };
}

/** The keyboard cursor: an hour or a day; another period starts at its first working hour. */
function useCursor(period: Period, now: number, search: ViewProps['search']) {
  const first = period.days.includes(dayOf(now)) ? startOf(dayOf(now)) : startOf(period.date);
  const [place, setPlace] = useState({ key: period.title, at: first + 9 * hourMs });
  const at = place.key === period.title ? place.at : first + 9 * hourMs;
  const set = (local: number) => {
    if (local >= startOf(period.from) && local < startOf(period.to)) return setPlace({ key: period.title, at: local });
    const next = periodOf(period.mode, dayOf(local));
    setPlace({ key: next.title, at: local });
    goTo(search, { date: dayOf(local) });
  };
  return [at, set] as const;
}

interface CalendarBarProps extends Pick<ViewProps, 'workspace' | 'search'> {
  readonly period: Period;
  readonly go: Go;
}

function countIn(entries: readonly Span[], { from, to }: Period): number {
  return entries.filter(({ start, end }) => start < startOf(to) && end > startOf(from)).length;
}

function CalendarBar({ workspace, search, period, go, count }: CalendarBarProps & { readonly count: number | null }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const adding = useAddToBoard(workspace);
  return (
    <>
      <WorkspaceBar
        workspace={workspace}
        search={search}
        lead={<PeriodBar title={period.title} onToday={go.today} onStep={go.step} />}
        summary={
          <>
            {count !== null && (
              <span className="dim digits nowrap wide-only calendar-count">
                {tn('{n} entry', '{n} entries', count)}
              </span>
            )}
            <ScaleSwitch
              scales={modes.map((mode) => ({ ...mode, label: t(mode.label) }))}
              value={period.mode}
              onChange={go.toMode}
            />
            <IconButton
              ref={button}
              className="hidden calendar-filter"
              icon="users"
              label={t('Colours and people')}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          </>
        }
        actions={<MoreMenu entries={[adding.entry]} />}
      />
      {adding.dialog}
      {isOpen && (
        <Popover anchor={button} align="end" className="pad-3-4 calendar-side-pop" onClose={() => setOpen(false)}>
          <Side period={period} onDate={go.toDate} />
        </Popover>
      )}
    </>
  );
}

/** Says that not all records are shown. */
function Notices({ workspace }: { readonly workspace: WorkspacePayload }) {
  const { listTotal, records } = workspace;
  if (listTotal <= records.length) return null;
  return (
    <p className="rigid warn pad-2-4 warned" role="status">
      {t('The first {n} of {total} are shown. Each day says how many more it has; open it, or narrow the search.', {
        n: records.length,
        total: listTotal,
      })}
    </p>
  );
}

interface PhoneFootProps extends CalendarBarProps {
  readonly canCreate: boolean;
}

/** On a phone: the most common actions, at the bottom. */
function PhoneFoot({ workspace, search, period, go, canCreate }: PhoneFootProps) {
  const shown = modes.filter(({ value }) => value !== 'week');
  return (
    <div className="row rigid apart pad-2-3 topped surface phone-only screen-only period-foot">
      <Button onClick={go.today}>{t('Today')}</Button>
      <ScaleSwitch
        scales={shown.map((mode) => ({ ...mode, label: t(mode.label) }))}
        value={period.mode}
        onChange={go.toMode}
      />
      {canCreate ? (
        <Button kind="primary" icon="plus" aria-label={t('New')} onClick={() => openRecord(search, workspace, 0)} />
      ) : (
        <span />
      )}
    </div>
  );
}

/** Arrow keys on an entry move to the previous or next one. */
function walkEntries(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (event.defaultPrevented || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(target as Element).matches('[data-entry]')) return;
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  if (by === undefined) return;
  const entries = [...currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const next = entries[entries.indexOf(target as HTMLElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
