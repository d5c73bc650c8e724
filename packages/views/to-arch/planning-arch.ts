import { type CalendarArch, type GanttArch, type MapArch, usualCalendar } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, neededField, needShown, readableField, readablePath } from './arch-scope.ts';
import { buttonNodes } from './button-node.ts';
import { decorationsOf } from './conditions.ts';
import { fieldNodes } from './field-node.ts';
import { plainField } from './kanban-arch.ts';
import { valuesOf } from './values-of.ts';

export function calendarArch(scope: ArchScope, node: ViewNode): CalendarArch {
  const values = valuesOf(scope, node, 'calendar');
  return {
    start: neededField(scope, values.start),
    ...plainField(scope, 'stop', values.stop),
    ...plainField(scope, 'allDay', values.allDay),
    ...plainField(scope, 'color', values.color),
    ...plainField(scope, 'people', values.people),
    ...plainField(scope, 'hours', values.hours),
    ...plainField(scope, 'scope', values.scope),
    mode: (values.mode as CalendarArch['mode'] | undefined) ?? 'month',
    title: titleOf(scope, values.title),
    lines: fieldNodes(scope, node.children, 'card.field'),
    buttons: buttonNodes(scope, node.children),
    ...decorationsOf(scope, values),
    quickCreate: values.quickCreate !== false && scope.viewer.mayAccess(scope.model, 'create'),
    workTime: usualCalendar('UTC'),
    date: '',
    from: '',
    to: '',
  };
}

export function ganttArch(scope: ArchScope, node: ViewNode): GanttArch {
  const values = valuesOf(scope, node, 'gantt');
  return {
    start: neededField(scope, values.start),
    stop: neededField(scope, values.stop),
    groupBy: ((values.groupBy ?? []) as readonly string[]).filter((term) => needGroup(scope, term)),
    scale: (values.scale as GanttArch['scale'] | undefined) ?? 'month',
    ...plainField(scope, 'progress', values.progress),
    ...plainField(scope, 'color', values.color),
    ...plainField(scope, 'dependencies', values.dependencies),
    ...plainField(scope, 'people', values.people),
    ...plainField(scope, 'hours', values.hours),
    workTime: { company: usualCalendar('UTC'), people: {} },
    load: [],
    title: titleOf(scope, values.title),
    date: '',
    from: '',
    to: '',
  };
}

export function mapArch(scope: ArchScope, node: ViewNode): MapArch {
  const values = valuesOf(scope, node, 'map');
  return {
    latitude: neededField(scope, values.latitude),
    longitude: neededField(scope, values.longitude),
    title: titleOf(scope, values.title),
    lines: fieldNodes(scope, node.children, 'card.field'),
    ...plainField(scope, 'color', values.color),
    ...placingOf(scope, String(values.latitude).split('.'), values.byHand),
    rows: [],
    unplaced: 0,
    domains: { placed: [], unplaced: [] },
  };
}

/** Positions behind one relation can be set there; those further away cannot. */
function placingOf(
  scope: ArchScope,
  [first, second, ...rest]: readonly string[],
  byHand: unknown,
): Pick<MapArch, 'placing'> {
  const through = second === undefined ? null : readableField(scope, first as string);
  const model = through ? scope.registry.model(through.spec.relation as string) : scope.model;
  const field = model.fields.get(second ?? (first as string));
  if (rest.length > 0 || !field || field.isReadonly || !scope.viewer.mayAccess(model, 'write')) return {};
  const marked = byHand === undefined ? {} : { byHand: String(byHand).split('.').at(-1) as string };
  if (!through) return { placing: { model: model.name, ...marked } };
  needShown(scope, through);
  return { placing: { model: model.name, through: through.name, ...marked } };
}

function titleOf(scope: ArchScope, name: unknown): string {
  const field = readableField(scope, String(name ?? 'display_name')) ?? readableField(scope, 'display_name');
  if (field) needShown(scope, field);
  return field?.name ?? 'display_name';
}

/** Rows are identified by values in the records. */
function needGroup(scope: ArchScope, term: string): boolean {
  const path = (term.split(':')[0] as string).split('.');
  const field = readablePath(scope, path);
  if (!field) return false;
  if (path.length === 1) needShown(scope, field);
  else {
    scope.paths.plain.add(path.join('.'));
    if (field.kind.isToOne) scope.paths.plain.add(`${path.join('.')}.display_name`);
  }
  return true;
}
