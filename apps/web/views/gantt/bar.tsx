import type { CSSProperties, MouseEvent } from 'react';
import { type Entry, Icon, openRecord, recordHref, shadeOf, spanText, t, tn } from '../../door/index.ts';
import { firstOnes, isBroken } from './dependencies.ts';
import { useGantt } from './gantt-context.ts';
import { barPlace, shareOf } from './time-axis.ts';
import { daysMoved } from './use-gantt-drag.ts';

interface BarProps {
  /** The saved entry; during a drag, it is drawn at its new position. */
  readonly entry: Entry;
  readonly isActive: boolean;
}

/** One record over time: a link that can be moved, resized and connected to others. */
export function Bar({ entry, isActive }: BarProps) {
  const { workspace, search, axis, held, fields, canLink, planning, critical, gantt, openLinks } = useGantt();
  const isHeld = held?.grip.entry.id === entry.id && held.grip.part !== 'link' && held.place !== null;
  const drawn: Entry = isHeld && held.place ? { ...entry, ...held.place.span } : entry;
  const place = barPlace(axis, drawn);
  const isPoint = !entry.hasEnd && !isHeld;
  const progress = gantt.progress === undefined ? 0 : Number(entry.record[gantt.progress] ?? 0);
  const words = useWords(entry, progress);
  const isTarget = held?.place?.target?.id === entry.id;
  // A title that does not fit is shown after its bar.
  const isShort = place.width < entry.title.length * 0.85 + 1;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openRecord(search, workspace, entry.id);
  };
  const states = `${isHeld ? 'is-held' : ''} ${isTarget ? 'is-target' : ''} ${isPoint ? 'is-point' : ''} ${critical.has(entry.id) ? 'is-critical' : ''} ${isShort ? (place.from + place.width > 85 ? 'is-short is-late' : 'is-short') : ''}`;
  const style = {
    '--c': shadeOf(entry.record, planning.colour).colour,
    '--done': `${Math.min(100, Math.max(0, progress))}%`,
    insetInlineStart: `${place.from}%`,
    width: isPoint ? undefined : `${place.width}%`,
  } as CSSProperties;
  return (
    <>
      {isHeld && <OriginalPosition entry={entry} />}
      <a
        href={recordHref(search, workspace, entry.id)}
        className={`row small strong nowrap gap-0 pin round-4 gantt-bar ${states}`}
        style={style}
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        data-bar={entry.id}
        data-drag-item={entry.id}
        title={`${entry.title}\n${spanText(entry)}`}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'l' || event.ctrlKey || event.metaKey || !gantt.dependencies) return;
          event.preventDefault();
          openLinks(entry, event.currentTarget);
        }}
      >
        <span className="sr-only">{words}</span>
        <span className="wide-only dots pad-x-2 gantt-bar-name" aria-hidden="true">
          <bdi className="block">{entry.title}</bdi>
        </span>
        {fields.canResize && !isPoint && <span className="pin gantt-end at-front" data-part="start" />}
        {fields.canResize && !isPoint && <span className="pin gantt-end at-back" data-part="end" />}
        {canLink && (
          <span
            className="circle pin square-10 bg-accent gantt-link-dot"
            data-part="link"
            title={t('Drag to an entry that depends on this one')}
          />
        )}
      </a>
      {isHeld && <HeldLabel entry={entry} drawn={drawn} />}
    </>
  );
}

/** The accessible name of a bar. */
function useWords(entry: Entry, progress: number): string {
  const { gantt, critical } = useGantt();
  const first = gantt.dependencies ? firstOnes(entry, gantt.dependencies) : [];
  return [
    entry.title,
    spanText(entry),
    gantt.progress === undefined ? '' : t('{n} % done', { n: Math.round(progress) }),
    first.length === 0
      ? ''
      : t('waits for {names}', { names: first.map((one) => String(one.display_name)).join(', ') }),
    critical.has(entry.id) ? t('critical') : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function OriginalPosition({ entry }: { readonly entry: Entry }) {
  const { axis } = useGantt();
  const { from, width } = barPlace(axis, entry);
  return <span className="pin round-4 gantt-old" style={{ insetInlineStart: `${from}%`, width: `${width}%` }} />;
}

/** During a drag: the new dates, and the dependencies they violate. */
function HeldLabel({ entry, drawn }: { readonly entry: Entry; readonly drawn: Entry }) {
  const { axis, links, held } = useGantt();
  const into = held?.place?.into ? t('To {group}', { group: held.place.into.label }) : '';
  const days = daysMoved(entry, drawn);
  const moved =
    days === 0
      ? ''
      : days > 0
        ? tn('{n} day later', '{n} days later', days)
        : tn('{n} day earlier', '{n} days earlier', -days);
  const late = links.find((link) => link.to.id === entry.id && isBroken({ from: link.from, to: drawn }));
  const early = links.find((link) => link.from.id === entry.id && isBroken({ from: drawn, to: link.to }));
  const problem = late
    ? t('Starts before {name} ends', { name: late.from.title })
    : early
      ? t('Ends after {name} starts', { name: early.to.title })
      : null;
  const at = Math.min(70, Math.max(0, shareOf(axis, drawn.start) * 100));
  return (
    <span
      className="stack gap-half small nowrap round pin raised outlined float pass pad-y-1 pad-x-2 gantt-held"
      style={{ insetInlineStart: `${at}%` }}
    >
      <b className="strong digits">{[into, spanText(drawn), moved].filter((part) => part !== '').join(', ')}</b>
      {problem && (
        <span className="row gap-1 bad">
          <Icon name="triangle-alert" size={13} />
          {problem}
        </span>
      )}
    </span>
  );
}
