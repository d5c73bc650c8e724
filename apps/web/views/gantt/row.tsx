import { type CSSProperties, type MouseEvent, memo } from 'react';
import {
  Avatar,
  dayMs,
  formatInteger,
  Icon,
  openRecord,
  recordHref,
  shadesOf,
  spanText,
  t,
  tn,
} from '../../door/index.ts';
import { Bar } from './bar.tsx';
import { useGantt } from './gantt-context.ts';
import type { BarRow, GroupRow } from './rows.ts';
import { barPlace } from './time-axis.ts';

interface RowProps<R> {
  readonly row: R;
  readonly top: number;
  readonly isActive: boolean;
}

/** Dates only: times would not fit beside a name. */
function datesText(start: number, end: number): string {
  const first = Math.floor(start / dayMs) * dayMs;
  const last = Math.max(first + dayMs, Math.ceil(end / dayMs) * dayMs);
  return spanText({ start: first, end: last, isAllDay: true });
}

export const GroupLine = memo(function GroupLine({ row, top, isActive }: RowProps<GroupRow>) {
  const { axis, toggle, held } = useGantt();
  const { shade, figures, isFolded, start, end, depth, key } = row;
  const isTarget = held?.place?.into?.lane.key === key;
  const place = barPlace(axis, row);
  return (
    <div
      className={`pin across line gantt-row gantt-group ${isTarget ? 'is-target' : ''}`}
      role="listitem"
      data-lane={key}
      style={{ top, '--c': shade.colour, '--depth': depth } as CSSProperties}
    >
      <button
        type="button"
        className="row rigid shrink start focus-in ink gantt-name"
        aria-expanded={!isFolded}
        tabIndex={isActive ? 0 : -1}
        data-group={key}
        onClick={() => toggle(key)}
      >
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        <span className="rigid round-3 square-10 bg-own" />
        <b className="cut shrink strong" dir="auto">
          {shade.label}
        </b>
        <span className="mut">{figures && formatInteger(figures.count)}</span>
        <span className="push small mut digits nowrap pad-s-2 gantt-dates">
          {figures && figures.hours > 0 ? t('{n} h', { n: formatInteger(figures.hours) }) : datesText(start, end)}
        </span>
      </button>
      <div className="grow anchor gantt-track">
        {isFolded ? (
          <span
            className="small strong nowrap clip pin round-4 pad-x-2 gantt-folded"
            style={{ insetInlineStart: `${place.from}%`, width: `${place.width}%` }}
          >
            {figures && tn('{n} entry', '{n} entries', figures.count)}
          </span>
        ) : (
          <span
            className="pin round-4 gantt-span"
            style={{ insetInlineStart: `${place.from}%`, width: `${place.width}%` }}
          />
        )}
      </div>
    </div>
  );
});

export function BarLine({ row, top, isActive }: RowProps<BarRow>) {
  const { workspace, search, people, gantt, held } = useGantt();
  const { entry, depth, lane } = row;
  const isTarget = held?.place?.into?.lane.key === lane.key;
  const isHeld = held?.grip.entry.id === entry.id;
  const progress = gantt.progress === undefined ? null : Number(entry.record[gantt.progress] ?? 0);
  const persons = people ? shadesOf(entry.record, people).filter(({ key }) => key !== '') : [];
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openRecord(search, workspace, entry.id);
  };
  return (
    <div
      className={`pin across line gantt-row ${isHeld ? 'is-lifted' : ''} ${isTarget ? 'is-target' : ''}`}
      role="listitem"
      data-lane={lane.key}
      data-row-id={entry.id}
      style={{ top, '--depth': depth } as CSSProperties}
    >
      <a
        className="row rigid shrink start focus-in ink gantt-name"
        href={recordHref(search, workspace, entry.id)}
        tabIndex={-1}
        draggable={false}
        onClick={open}
      >
        {progress !== null && (
          <span className="rigid circle gantt-pie" style={{ '--done': `${progress}%` } as CSSProperties} />
        )}
        <bdi className={`cut shrink gantt-title ${progress !== null && progress >= 100 ? 'is-done' : ''}`}>
          {entry.title}
        </bdi>
        <span className="push small mut digits nowrap pad-s-2 gantt-dates">{datesText(entry.start, entry.end)}</span>
        {persons.slice(0, 2).map(({ key, label }) => (
          <Avatar key={key} name={label} size="s" />
        ))}
      </a>
      <div className="grow anchor gantt-track">
        <Bar entry={entry} isActive={isActive} />
      </div>
    </div>
  );
}
