import {
  addDays,
  Button,
  type Domain,
  defineView,
  formatDate,
  formatHours,
  IconButton,
  latestOnly,
  mark,
  offerUndo,
  onCatchUp,
  onEvent,
  Skeleton,
  showError,
  t,
  today,
  useKept,
  usePhone,
  usePlaceState,
  type ViewProps,
  WorkspaceBar,
  weekdayNames,
  weekStart,
} from '@kontor/client';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { HoursCell } from './hours-cell.tsx';
import { daysOfWeek, loadWeek, saveCell } from './week-data.ts';
import { cellChange, hoursOf, keyOf, type TimeEntry, type WeekRow, type Work, weekRows } from './week-rows.ts';
import './week.css';
import { WorkPick } from './work-pick.tsx';

/** One's hours of a week in a grid: a row for each task or project, a column for each day; on a phone one day at a time. */
export const weekView = defineView({
  type: 'project_week',
  View: WeekSheet,
  keys: [
    { keys: ['↑', '↓', '←', '→'], does: mark('Another cell') },
    { keys: ['Enter'], does: mark('Save, and on to the next row') },
    { keys: ['Esc'], does: mark('Leave the cell as it was') },
    { keys: ['Alt', '←'], does: mark('Previous week') },
    { keys: ['Alt', '→'], does: mark('Next week') },
  ],
});

interface Week {
  readonly start: string;
  /** Null until loaded. */
  readonly rows: readonly WeekRow[] | null;
  move(weeks: number): void;
  toToday(): void;
  add(work: Work): void;
  /** False: the hours cannot be entered in this cell. */
  save(row: WeekRow, at: number, hours: number): boolean;
}

// Over 60 lines: what is shown, loaded and saved is one state.
function useWeek(domain: Domain, records: readonly object[]): Week {
  const [start, setStart] = usePlaceState('project:week', weekStart(today()));
  const [entries, setEntries] = useState<readonly TimeEntry[] | null>(null);
  const [added, setAdded] = useState<readonly Work[]>([]);
  const latest = useRef<{ start: string; domain: Domain; entries: readonly TimeEntry[] }>({
    start,
    domain,
    entries: [],
  });
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const [load] = useState(() =>
    latestOnly(
      () => loadWeek(latest.current),
      (found) => {
        latest.current.entries = found;
        setEntries(found);
      },
    ),
  );
  const reload = useCallback(() => load().catch(showError), [load]);
  useEffect(() => {
    // The records of the workspace are loaded again after an undo.
    Object.assign(latest.current, { start, domain, records });
    void reload();
  }, [start, domain, records, reload]);
  useEffect(() => {
    const changed = (payload: unknown) => {
      if ((payload as { readonly model?: string }).model === 'project.time') void reload();
    };
    const channels = ['record.created', 'record.updated', 'record.deleted'];
    const stops = [...channels.map((channel) => onEvent(channel, changed)), onCatchUp(() => void reload())];
    return () => {
      for (const stop of stops) stop();
    };
  }, [reload]);
  /** By what is stored when its turn comes: two edits of a cell at once are one entry. */
  const change = async (work: Work, date: string, hours: number) => {
    const own = latest.current.entries.filter((entry) => keyOf(entry) === keyOf(work) && entry.date === date);
    const needed = cellChange(own, hours);
    if (!needed) return;
    offerUndo(t('Time saved'), 'project.time', await saveCell(work, date, needed));
    await reload();
  };
  return {
    start,
    rows: entries && weekRows(daysOfWeek(start), entries, added),
    move: (weeks) => setStart(addDays(start, 7 * weeks)),
    toToday: () => setStart(weekStart(today())),
    add: (work) => setAdded([...added, work]),
    save({ work, days }, at, hours) {
      if (cellChange(days[at] ?? [], hours)?.does === 'refuse') return false;
      queue.current = queue.current.then(() => change(work, addDays(start, at), hours)).catch(showError);
      return true;
    },
  };
}

function WeekSheet({ workspace, search }: ViewProps) {
  const week = useWeek(useKept(workspace.arch.domain ?? []), workspace.records);
  const isPhone = usePhone();
  const [day, setDay] = useState(() => Math.max(0, dayIn(week.start)));
  const { start, rows } = week;
  const days = isPhone ? [day] : [0, 1, 2, 3, 4, 5, 6];
  const onKeyDown = (event: KeyboardEvent) => {
    const weeks = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (weeks === undefined) return;
    event.preventDefault();
    week.move(document.documentElement.dir === 'rtl' ? -weeks : weeks);
  };
  return (
    <div className="column fill" onKeyDown={onKeyDown}>
      <WorkspaceBar workspace={workspace} search={search} />
      <WeekBar week={week} />
      {isPhone && <DayPick week={week} day={day} onPick={setDay} />}
      <div className="fill scroll pad-4 stack gap-3 packed items-start">
        {rows === null ? <Skeleton width="70%" /> : <WeekTable week={week} rows={rows} days={days} start={start} />}
        <WorkPick onPick={week.add} />
      </div>
    </div>
  );
}

/** The place of today in a week; -1: it is in another. */
function dayIn(start: string): number {
  return daysOfWeek(start).indexOf(today());
}

function WeekBar({ week: { start, rows, move, toToday } }: { readonly week: Week }) {
  const total = hoursOf((rows ?? []).flatMap(({ days }) => days.flat()));
  return (
    <div className="row wrap lined rigid pad-2-3 gap-2">
      <IconButton icon="chevron-left" label={t('Previous week')} onClick={() => move(-1)} />
      <IconButton icon="chevron-right" label={t('Next week')} onClick={() => move(1)} />
      <Button onClick={toToday}>{t('This week')}</Button>
      <h2 className="strong">
        {t('{from} to {until}', { from: formatDate(start), until: formatDate(addDays(start, 6)) })}
      </h2>
      <span className="push digits strong">{t('{hours} in all', { hours: formatHours(total) })}</span>
    </div>
  );
}

function DayPick({
  week: { start, rows },
  day,
  onPick,
}: {
  readonly week: Week;
  readonly day: number;
  readonly onPick: (day: number) => void;
}) {
  return (
    <div className="stack gap-0 lined seven" role="group" aria-label={t('Day')}>
      {weekdayNames().map((name, at) => (
        <button
          key={name}
          type="button"
          className="stack gap-0 least-44 items-centre tab-line project-week-day hovers focus-in"
          aria-pressed={at === day}
          onClick={() => onPick(at)}
        >
          <span className="small">{name}</span>
          <span className="small dim">{shownHours(dayHours(rows, at))}</span>
        </button>
      ))}
      <span className="sr-only">{formatDate(addDays(start, day))}</span>
    </div>
  );
}

const shownHours = (hours: number) => (hours === 0 ? '–' : formatHours(hours));
const dayHours = (rows: readonly WeekRow[] | null, at: number) =>
  hoursOf((rows ?? []).flatMap(({ days }) => days[at] ?? []));

interface TableProps {
  readonly week: Week;
  readonly rows: readonly WeekRow[];
  readonly days: readonly number[];
  readonly start: string;
}

// Over 60 lines: one table, with its head and its sums.
function WeekTable({ week, rows, days, start }: TableProps) {
  const names = weekdayNames();
  const now = dayIn(start);
  return (
    <table className="fixed full project-week-table">
      <thead>
        <tr>
          <th scope="col" className="start">
            {t('Task')}
          </th>
          {days.map((at) => (
            <th
              key={at}
              scope="col"
              className={at === now ? 'accent' : ''}
              aria-current={at === now ? 'date' : undefined}
            >
              {names[at]} <span className="dim">{Number(addDays(start, at).slice(8))}</span>
            </th>
          ))}
          {days.length > 1 && <th scope="col">{t('Sum')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.key}>
            <th scope="row" className="start">
              <span className="block cut cut-wide semi">
                <bdi>{row.work.task ?? row.work.project}</bdi>
              </span>
              {row.work.task && (
                <span className="block cut cut-wide small mut">
                  <bdi>{row.work.project}</bdi>
                </span>
              )}
            </th>
            {days.map((at) => (
              <td key={at}>
                <HoursCell
                  label={`${row.work.task ?? row.work.project}, ${formatDate(addDays(start, at))}`}
                  hours={hoursOf(row.days[at] ?? [])}
                  count={row.days[at]?.length ?? 0}
                  place={[index, days.indexOf(at)]}
                  onSave={(hours) => week.save(row, at, hours)}
                />
              </td>
            ))}
            {days.length > 1 && <td className="digits strong">{shownHours(hoursOf(row.days.flat()))}</td>}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="start">
            {t('Sum')}
          </th>
          {days.map((at) => (
            <td key={at} className="digits">
              {shownHours(dayHours(rows, at))}
            </td>
          ))}
          {days.length > 1 && (
            <td className="digits strong">{formatHours(hoursOf(rows.flatMap((row) => row.days.flat())))}</td>
          )}
        </tr>
      </tfoot>
    </table>
  );
}
