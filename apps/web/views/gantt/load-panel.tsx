import { type CSSProperties, useMemo } from 'react';
import {
  Avatar,
  dayOf,
  dayText,
  formatDecimal,
  formatInteger,
  goTo,
  hourMs,
  Icon,
  t,
  toEntries,
  usePhone,
  workingTimeOn,
} from '../../door/index.ts';
import { type GanttScope, useGantt } from './gantt-context.ts';
import { type LoadCell, loadCells, loadOf, movesSince, type PersonHours, withMove } from './load.ts';
import { shareOf } from './time-axis.ts';
import { calendarOf } from './work.ts';

/** What a day off is drawn against. */
const usualHours = 8;

/** Planned and available hours per person, including the move in progress. */
export function LoadPanel() {
  const scope = useGantt();
  const { search, people } = scope;
  const isPhone = usePhone();
  // On a phone it is closed by default.
  const isOpen = isPhone ? search.extra.load === '1' : search.extra.load !== '0';
  if (!people) return null;
  return (
    <section className="column rigid gantt-load" aria-label={t('Load')}>
      <button
        type="button"
        className="row rigid small mut sunken focus-in pad-x-4 gantt-load-head"
        aria-expanded={isOpen}
        onClick={() => goTo(search, { load: isOpen ? '0' : '1' }, true)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} className="screen-only" />
        <b className="strong ink">{t('Load')}</b>
        <span>{t('planned and available hours')}</span>
        <span className="row gap-1h push wide-only gantt-load-key">
          <i className="square-10 round-3" />
          {t('within working time')}
          <i className="square-10 round-3 is-over" />
          {t('over')}
        </span>
      </button>
      {isOpen && <LoadRows scope={scope} />}
    </section>
  );
}

function LoadRows({ scope }: { readonly scope: GanttScope }) {
  const { workspace, fields, gantt, people, planning, held } = scope;
  const spec = useMemo(() => (people ? { gantt, people } : null), [gantt, people]);
  const counted = useMemo(
    () => toEntries(workspace.records, fields, gantt.title),
    [workspace.records, fields, gantt.title],
  );
  const base = useMemo(() => {
    const moves = movesSince(counted, planning.all);
    return moves.reduce((load, [from, to]) => (spec ? withMove(load, from, to, spec) : load), loadOf(gantt));
  }, [counted, planning.all, gantt, spec]);
  const moved = held?.place && held.grip.part !== 'link' ? held : null;
  const load =
    moved?.place && spec
      ? withMove(base, moved.grip.entry, { ...moved.grip.entry, ...moved.place.span, hasEnd: true }, spec)
      : base;
  if (load.length === 0) return <p className="dim pad-3-4">{t('Nobody has work in this period.')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys.
    <ul className="scroll-y gutter" tabIndex={0} aria-label={t('Load')}>
      {load.map((person) => (
        <PersonRow key={person.key} person={person} />
      ))}
    </ul>
  );
}

function PersonRow({ person }: { readonly person: PersonHours }) {
  const { axis, gantt } = useGantt();
  const calendar = calendarOf(gantt, Number(person.key));
  const cells = loadCells(person, axis, (day) => workingTimeOn(calendar, dayOf(day)) / hourMs);
  const hours = cells.reduce((sum, cell) => sum + cell.hours, 0);
  const available = cells.reduce((sum, cell) => sum + cell.available, 0);
  const over = cells.filter(({ isOver }) => isOver);
  const most = Math.max(1, ...cells.map(({ hours: own, available: has }) => (has > 0 ? own / has : own / usualHours)));
  return (
    <li className="line gantt-load-row">
      <span className="row rigid shrink start focus-in ink gantt-name">
        <Avatar name={person.label} size="s" />
        <bdi className="cut shrink gantt-title">{person.label}</bdi>
        <span
          className={`push small mut digits nowrap pad-s-2 gantt-dates ${over.length > 0 ? 'bad strong is-over' : ''}`}
        >
          {t('{n} of {total} h', { n: words(hours), total: words(available) })}
        </span>
        {over.length > 0 && (
          <span className="sr-only">
            {t('Overbooked: {days}', {
              days: over.map((cell) => `${dayText(dayOf(cell.start), 'short')} ${words(cell.hours)} h`).join(', '),
            })}
          </span>
        )}
      </span>
      <div className="grow anchor gantt-track" aria-hidden="true">
        <span className="pin across gantt-load-line" style={{ bottom: `${(1 / most) * 100}%` }} />
        {cells.map((cell) => (
          <Cell key={cell.start} cell={cell} most={most} />
        ))}
      </div>
    </li>
  );
}

function Cell({ cell, most }: { readonly cell: LoadCell; readonly most: number }) {
  const { axis } = useGantt();
  if (cell.hours <= 0) return null;
  const [from, to] = [shareOf(axis, cell.start) * 100, shareOf(axis, cell.end) * 100];
  const share = cell.hours / (cell.available || usualHours) / most;
  const style: CSSProperties = {
    insetInlineStart: `calc(${from}% + 1px)`,
    width: `calc(${to - from}% - 2px)`,
    height: `${Math.min(100, share * 100)}%`,
  };
  return (
    <span
      className={`strong digits centred ink clip pin container gantt-load-cell ${cell.isOver ? 'is-over' : ''}`}
      style={style}
      title={t('{n} of {total} h', { n: words(cell.hours), total: words(cell.available) })}
    >
      {cell.isOver && <b>{formatInteger(cell.hours)}</b>}
    </span>
  );
}

function words(hours: number): string {
  return formatDecimal(Math.round(hours * 10) / 10);
}
