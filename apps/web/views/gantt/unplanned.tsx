import type { DragEvent, RefObject } from 'react';
import {
  Button,
  dayOf,
  expireModel,
  fieldType,
  type GanttArch,
  offerUndo,
  openRecord,
  recordHref,
  type Span,
  sendChange,
  showError,
  spanValues,
  startOf,
  t,
  tn,
  today,
} from '../../door/index.ts';
import { type GanttScope, useGantt } from './gantt-context.ts';
import type { TimeAxis } from './time-axis.ts';
import { calendarOf, planFrom } from './work.ts';

type Unplanned = NonNullable<GanttArch['unplanned']>['records'][number];
const kind = 'application/x-kontor-unplanned';

/** Records without dates: dragged onto the chart one by one, or planned one after the other from today. */
export function UnplannedList() {
  const { gantt, workspace, search, fields } = useGantt();
  const scope = useGantt();
  const { unplanned } = gantt;
  if (!unplanned) return null;
  return (
    <section className="rigid lined stack gap-2 pad-2-4" aria-label={t('To be planned')}>
      <header className="row gap-3">
        <h3>{tn('{n} entry without dates', '{n} entries without dates', unplanned.total)}</h3>
        {fields.canMove && (
          <Button icon="calendar" onClick={() => void planFromToday(scope).catch(showError)}>
            {t('Plan from today')}
          </Button>
        )}
        {fields.canMove && <span className="small mut wide-only">{t('Or drag them onto the chart.')}</span>}
      </header>
      <ul className="row wrap gap-2 scroll gantt-unplanned-list">
        {unplanned.records.map((record) => (
          <li key={record.id}>
            <a
              className="inline-row small round framed surface ink gantt-unplanned-entry"
              href={recordHref(search, workspace, record.id)}
              draggable={fields.canMove}
              onDragStart={(event) => event.dataTransfer.setData(kind, String(record.id))}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                openRecord(search, workspace, record.id);
              }}
            >
              <bdi>{record.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How the chart takes what is dropped onto it: the day under the pointer is the first one. */
export function dropUnplanned(scope: GanttScope, root: RefObject<HTMLElement | null>) {
  return {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes(kind)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      const id = Number(event.dataTransfer.getData(kind));
      const record = scope.gantt.unplanned?.records.find((one) => one.id === id);
      const track = root.current?.querySelector('[data-track]')?.getBoundingClientRect();
      if (!record || !track) return;
      event.preventDefault();
      const start = startOf(dayAt(scope.axis, track, event.clientX));
      void plan(scope, [{ record, span: spanFrom(scope, record, start) }]).catch(showError);
    },
  };
}

function dayAt({ start, end }: TimeAxis, track: DOMRect, x: number): string {
  const share = (x - track.left) / track.width;
  const read = document.documentElement.dir === 'rtl' ? 1 - share : share;
  return dayOf(start + Math.max(0, Math.min(1, read)) * (end - start));
}

/** As much working time as its hours, when its assignee works. */
function spanFrom({ gantt, fields }: GanttScope, { hours, person }: Unplanned, from: number): Span {
  return planFrom(calendarOf(gantt, person), from, hours, !fieldType(fields.start.type).isInstant);
}

/** One after the other for each person, those of nobody in a row of their own. */
async function planFromToday(scope: GanttScope): Promise<void> {
  const next = new Map<number | null, number>();
  const planned = (scope.gantt.unplanned?.records ?? []).map((record) => {
    const span = spanFrom(scope, record, next.get(record.person) ?? startOf(today()));
    next.set(record.person, span.end);
    return { record, span };
  });
  await plan(scope, planned);
}

interface Planned {
  readonly record: Unplanned;
  readonly span: Span;
}

/** Saves all of them; one Undo takes all of them back. */
async function plan({ workspace, fields }: GanttScope, planned: readonly Planned[]): Promise<void> {
  const { model } = workspace;
  const changeSets: number[] = [];
  try {
    for (const { record, span } of planned) {
      const args = [[record.id], spanValues(fields, span, null)];
      changeSets.push((await sendChange({ model, method: 'write', args })).changeSet);
    }
  } finally {
    expireModel(model);
  }
  offerUndo(tn('Planned {n} entry', 'Planned {n} entries', planned.length), model, ...changeSets);
}
