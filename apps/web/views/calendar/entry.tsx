import type { CSSProperties, MouseEvent } from 'react';
import {
  type Entry,
  holds,
  Icon,
  recordHref,
  shortTime,
  spanText,
  t,
  timeRange,
  timeText,
  valueText,
  type WorkspacePayload,
} from '../../door/index.ts';
import { type CalendarScope, colourOf, useCalendar } from './calendar-context.ts';

interface EntryLinkProps {
  readonly entry: Entry;
  /** `block`: between hours; `bar`: across days; `line`: one line with its time. */
  readonly look: 'block' | 'bar' | 'line';
  readonly style?: CSSProperties;
  readonly className?: string;
  /** If an entry is drawn in several parts, only the first takes the focus during a drag. */
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
  /** How many lines fit below the time of a block; negative if only one line fits in all. */
  readonly lines?: number;
  /** Beside others: only the start time fits. */
  readonly isNarrow?: boolean;
}

const frames = {
  block: 'block pin',
  bar: 'row gap-1 high-24 nowrap anchor',
  line: 'row gap-1 high-24 pad-x-1 nowrap anchor',
} as const;

/** One entry: a link to its record that can be dragged. */
export function EntryLink({
  entry,
  look,
  style,
  className = '',
  isFirst = true,
  isLast = true,
  lines: room = 0,
  isNarrow = false,
}: EntryLinkProps) {
  const scope = useCalendar();
  const { workspace, search, held, now, fields, showCard } = scope;
  const isLow = look === 'block' && room < 0;
  const isHeld = held?.grip.entry?.id === entry.id;
  const lines = entryLines(workspace, entry);
  const words = [entry.title, spanText(entry), ...lines];
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    showCard(entry, event.currentTarget as HTMLElement);
  };
  const looks = looksOf(scope, entry);
  const states = `${looks} ${isHeld ? 'is-held' : ''} ${entry.end < now ? 'is-past' : ''} ${isFirst ? '' : 'is-continued'} ${isLast ? '' : 'continues'}`;
  return (
    <a
      href={recordHref(search, workspace, entry.id)}
      className={`shrink small round-s clip pointer ${frames[look]} calendar-entry calendar-${look} ${isLow ? 'is-low' : room > 0 ? 'is-high' : ''} ${states} ${className}`}
      style={{ '--c': colourOf(scope, entry), ...style } as CSSProperties}
      draggable={false}
      data-entry={entry.id}
      data-drag-item={isFirst ? entry.id : undefined}
      title={words.join('\n')}
      onClick={open}
    >
      <span className="sr-only">{words.join(', ')}</span>
      <EntryWords {...{ entry, look, isLow, isNarrow, isFirst }} lines={lines.slice(0, Math.max(0, room))} />
      {fields.canResize && isLast && look !== 'line' && <span className="pin across calendar-grip" data-end="" />}
    </a>
  );
}

interface EntryWordsProps extends Pick<EntryLinkProps, 'entry' | 'look' | 'isFirst'> {
  readonly isLow: boolean;
  readonly isNarrow: boolean;
  readonly lines: readonly string[];
}

/** The visible text of an entry; screen readers get all of it in one sentence. */
function EntryWords({ entry, look, isLow, isNarrow, isFirst, lines }: EntryWordsProps) {
  return (
    <span
      className={`grow ${look !== 'block' ? 'row gap-1' : isLow ? 'row gap-1h tall nowrap' : 'column'}`}
      aria-hidden="true"
    >
      {look === 'line' && <span className="rigid circle square-8 bg-own" />}
      {look === 'line' && <span className="tiny mut digits nowrap">{shortTime(entry.start)}</span>}
      {!isFirst && <Icon name="chevron-left" size={12} />}
      <b className={`cut ${look === 'line' ? 'medium' : look === 'block' && !isLow ? 'rigid' : ''}`} dir="auto">
        {entry.title}
      </b>
      {look === 'block' && (
        <span className="tiny digits cut rigid">
          {isLow || isNarrow || !entry.hasEnd ? timeText(entry.start) : timeRange(entry.start, entry.end)}
        </span>
      )}
      {look === 'block' &&
        lines.map((line) => (
          <span key={line} className="tiny cut rigid" dir="auto">
            {line}
          </span>
        ))}
    </span>
  );
}

/** How the view draws an entry: a meeting that one declined is muted. */
export function looksOf({ calendar, workspace }: CalendarScope, { record }: Entry): string {
  const { fields } = workspace.arch;
  const found = (calendar.decorations ?? []).filter(({ when }) => holds(when, record, fields));
  return found.map(({ look }) => `calendar-${look}`).join(' ');
}

/** The fields that the view shows on an entry, as text. */
export function entryLines({ arch, model }: WorkspacePayload, { record }: Entry): readonly string[] {
  return (arch.calendar?.lines ?? []).flatMap((node) => {
    const field = arch.fields.find(({ name }) => name === node.name);
    const text = field ? valueText({ field, node, model, record, place: 'kanban' }) : '';
    return text || [];
  });
}

/** The outline of a new entry while it is drawn, with its times. */
export function DraftBox({ style, label }: { readonly style?: CSSProperties; readonly label: string }) {
  return (
    <div className="column small round-s accent clip pin least-24 pass calendar-draft" style={style} data-draft="">
      <b>{t('New')}</b>
      <span className="tiny digits nowrap">{label}</span>
    </div>
  );
}
