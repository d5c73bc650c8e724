import { useEffect, useMemo, useRef, useState } from 'react';
import {
  Button,
  EmptyView,
  type Entry,
  type GanttArch,
  type GanttScale,
  ganttQuestion,
  goTo,
  mergeFields,
  openRecord,
  PanelHost,
  PeriodBar,
  prefetchForm,
  ScaleSwitch,
  t,
  tn,
  today,
  useFigures,
  useNow,
  usePlanning,
  usePlanningKeys,
  type ViewProps,
  WorkspaceBar,
} from '../../door/index.ts';
import { Chart } from './chart.tsx';
import { addLink, linksOf } from './dependencies.ts';
import { type BarGrip, type BarPlace, GanttProvider, type GanttScope } from './gantt-context.ts';
import { lanesOf } from './lanes.ts';
import { LinksPopover } from './links-popover.tsx';
import { LoadPanel } from './load-panel.tsx';
import { MoveFollowersDialog } from './move-followers-dialog.tsx';
import { figuresOf, toRows } from './rows.ts';
import { scales, stepAxis, type TimeAxis, timeAxis } from './time-axis.ts';
import { dropUnplanned, UnplannedList } from './unplanned.tsx';
import { useGanttDrag } from './use-gantt-drag.ts';
import { useMoves } from './use-moves.ts';
import './styles.css';
import './bars.css';
import './load.css';

/** Records as bars over time, grouped into rows. */
export function GanttView(props: ViewProps) {
  const gantt = props.workspace.arch.gantt as GanttArch;
  const planning = usePlanning(props.workspace, gantt, props.search);
  const { fields } = planning;
  return fields && <GanttScreen {...props} gantt={gantt} planning={planning} fields={fields} />;
}

interface GanttScreenProps extends ViewProps, Pick<GanttScope, 'gantt' | 'planning' | 'fields'> {}

function GanttScreen({ workspace, search, isLoading, gantt, planning, fields }: GanttScreenProps) {
  const { arch, model } = workspace;
  const root = useRef<HTMLDivElement>(null);
  const now = useNow();
  const asked = scales.find(({ value }) => value === search.extra.scale)?.value;
  const date = search.extra.date ?? gantt.date;
  const axis = useMemo(() => timeAxis(asked ?? gantt.scale, date), [asked, gantt.scale, date]);
  const [folded, toggle] = useFolded();
  const [opened, setOpened] = useState<{ readonly entry: Entry; readonly anchor: HTMLElement } | null>(null);
  // The filters of the calendar's side panel are ignored, because the gantt has no panel to switch them off.
  const entries = useMemo(() => planning.all.filter((entry) => isOn(axis, entry)), [planning.all, axis]);
  const links = useMemo(() => linksOf(entries, gantt.dependencies), [entries, gantt.dependencies]);
  const isCritical = search.extra.critical === '1';
  const critical = useMemo(() => (isCritical ? new Set(gantt.critical) : none), [isCritical, gantt.critical]);
  const known = useMemo(() => mergeFields(arch.fields, planning.colours), [arch.fields, planning.colours]);
  const { groupBy } = gantt;
  const asks = ganttQuestion({ domain: arch.domain ?? [], arch: gantt, fields: arch.fields, days: axis.days });
  const told = useFigures(workspace, [asks]).rows?.[0];
  const figures = useMemo(() => figuresOf(told ?? [], groupBy), [told, groupBy]);
  const rows = useMemo(
    () => toRows(entries, { groupBy, fields: known, folded, figures }),
    [entries, groupBy, known, folded, figures],
  );
  const dependency = arch.fields.find(({ name }) => name === gantt.dependencies);
  const canLink = dependency !== undefined && arch.rights.write && !dependency.readonly;
  const { move, question, answer } = useMoves({ workspace, fields, gantt });
  const lanes = useMemo(() => lanesOf(rows, groupBy.length), [rows, groupBy.length]);
  const drop = (grip: BarGrip, { span, target, into }: BarPlace) => {
    if (grip.part !== 'link') return void move({ entry: grip.entry, span, into });
    if (target && gantt.dependencies) void addLink({ model, field: gantt.dependencies, from: grip.entry, to: target });
  };
  const held = useGanttDrag({ root, axis, gantt, fields, entries, canLink, lanes, drop });
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  const scope: GanttScope = {
    ...{ workspace, gantt, search, fields, planning, axis, now, held, links, critical, canLink, toggle },
    people: planning.people,
    openLinks: (entry, anchor) => setOpened({ entry, anchor }),
  };
  return (
    <GanttProvider value={scope}>
      <GanttBar {...{ workspace, search, axis }} count={figures.get('')?.count ?? entries.length} />
      <Notice {...{ workspace }} />
      {isCritical && !gantt.critical && !isLoading && gantt.dependencies && <NoCriticalPath />}
      <UnplannedList />
      {entries.length === 0 && workspace.listTotal === 0 && !gantt.unplanned ? (
        <EmptyView workspace={workspace} search={search} />
      ) : (
        <div className={`column fill gantt-body ${isLoading ? 'is-stale' : ''}`} {...dropUnplanned(scope, root)}>
          <Chart rows={rows} root={root} />
          <LoadPanel />
        </div>
      )}
      <GanttFoot {...{ workspace, search, axis }} />
      {question && <MoveFollowersDialog {...question} onAnswer={answer} />}
      {opened && <LinksPopover key={opened.entry.id} {...opened} onClose={() => setOpened(null)} />}
      <PanelHost />
    </GanttProvider>
  );
}

function NoCriticalPath() {
  return (
    <p className="rigid warn pad-2-4 warned" role="status">
      {t('There are too many dependencies for a critical path.')}
    </p>
  );
}

const none: ReadonlySet<number> = new Set();

function isOn(axis: TimeAxis, { start, end }: Entry): boolean {
  return start < axis.end && (end > axis.start || start >= axis.start);
}

function useFolded(): readonly [ReadonlySet<string>, (key: string) => void] {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setFolded((now) => (now.has(key) ? new Set([...now].filter((one) => one !== key)) : new Set([...now, key])));
  return [folded, toggle];
}

interface GanttBarProps extends Pick<ViewProps, 'workspace' | 'search'> {
  readonly axis: TimeAxis;
}

function GanttBar({ workspace, search, axis, count }: GanttBarProps & { readonly count: number }) {
  const toDate = (day: string) => goTo(search, { date: day });
  const toScale = (scale: GanttScale) => goTo(search, { scale, date: axis.date });
  const step = (by: 1 | -1) => toDate(stepAxis(axis, by));
  const letters = Object.fromEntries(scales.map(({ value, keys }) => [keys.toLowerCase(), () => toScale(value)]));
  usePlanningKeys({ ...letters, t: () => toDate(today()) }, step);
  return (
    <WorkspaceBar
      workspace={workspace}
      search={search}
      lead={<PeriodBar title={axis.title} onToday={() => toDate(today())} onStep={step} />}
      summary={
        <>
          <span className="dim digits nowrap wide-only gantt-total">{tn('{n} entry', '{n} entries', count)}</span>
          <ScaleSwitch
            scales={scales.map((scale) => ({ ...scale, label: t(scale.label) }))}
            value={axis.scale}
            onChange={toScale}
          />
        </>
      }
    />
  );
}

/** Says that not all records are shown. */
function Notice({ workspace: { listTotal, records } }: Pick<ViewProps, 'workspace'>) {
  if (listTotal <= records.length) return null;
  const words = t('The first {n} of {total} are shown. Narrow the search to see the others.', {
    n: records.length,
    total: listTotal,
  });
  return (
    <p className="rigid warn pad-2-4 warned" role="status">
      {words}
    </p>
  );
}

/** On a phone: the most common actions, at the bottom. */
function GanttFoot({ workspace, search, axis }: GanttBarProps) {
  const shown = scales.filter(({ value }) => value !== 'day' && value !== 'year');
  return (
    <div className="row rigid apart pad-2-3 topped surface phone-only screen-only period-foot">
      <Button onClick={() => goTo(search, { date: today() })}>{t('Today')}</Button>
      <ScaleSwitch
        scales={shown.map((scale) => ({ ...scale, label: t(scale.label) }))}
        value={axis.scale}
        onChange={(scale) => goTo(search, { scale, date: axis.date })}
      />
      {workspace.arch.rights.create ? (
        <Button kind="primary" icon="plus" aria-label={t('New')} onClick={() => openRecord(search, workspace, 0)} />
      ) : (
        <span />
      )}
    </div>
  );
}
