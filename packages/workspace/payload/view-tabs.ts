import type { OwnViewTypes } from '@kontor/kernel';
import {
  didYouMean,
  invalidArgs,
  KontorError,
  type Text,
  type Translate,
  text,
  type ViewTab,
  viewTypes,
  type WorkspacePayload,
} from '@kontor/protocol';
import type { WindowAction } from '../interface/load-interface.ts';
import { placeParts, searchParts, type WorkspaceQuery, workspaceHref } from '../query/workspace-query.ts';
import type { ViewData } from './view-request.ts';

const labels: Readonly<Record<string, Text>> = {
  list: text('List'),
  form: text('Form'),
  kanban: text('Kanban'),
  graph: text('Graph'),
  pivot: text('Pivot'),
  calendar: text('Calendar'),
  gantt: text('Gantt'),
  map: text('Map'),
  cohort: text('Cohort'),
};

/** One tab for each multi-record view of the action, and the current one. */
export function viewTabs(
  { action, query, own }: { readonly action: WindowAction; readonly query: WorkspaceQuery; readonly own: OwnViewTypes },
  menuId: string,
  current: string,
  translate: Translate,
): readonly ViewTab[] {
  const modes = new Set([...shownTypes(action, own).filter((type) => type !== 'form'), current]);
  return [...modes].map((mode) => ({
    mode,
    label: translate(labels[mode] ?? own.get(mode)?.label ?? mode),
    href: workspaceHref([
      ...placeParts(action, menuId),
      ['view_type', mode],
      ['id', mode === 'form' ? query.id : null],
      ...searchParts(query),
    ]),
    active: mode === current,
  }));
}

/**
 * The view to show: the requested one, a form if a record is given, otherwise the action's first. Rows behind a chart
 * and the record behind a row can always be opened, so list and form are never rejected.
 */
export function chooseViewType(action: WindowAction, { viewType, id }: WorkspaceQuery, own: OwnViewTypes): string {
  if (viewType === null) return id === null ? (shownTypes(action, own)[0] ?? 'list') : 'form';
  checkExists(viewType, own);
  if (viewType === 'list' || viewType === 'form' || action.id === 0 || action.modes.includes(viewType)) return viewType;
  throw new KontorError('NOT_FOUND', text('{action} has no {type} view.', { action: action.name, type: viewType }), {
    view_type: viewType,
    hint: shownTypes(action, own).join(', '),
  });
}

/** The view types of an action, in order. */
function shownTypes(action: WindowAction, own: OwnViewTypes): readonly string[] {
  return action.modes.filter((mode) => (viewTypes as readonly string[]).includes(mode) || own.has(mode));
}

function checkExists(type: string, own: OwnViewTypes): void {
  const known: readonly string[] = [...viewTypes, ...own.keys()];
  if (known.includes(type)) return;
  throw invalidArgs(`There is no view type "${type.slice(0, 40)}".${didYouMean(type, known)}`, {
    field: 'view_type',
    hint: known.join(', '),
  });
}

interface Crumbed {
  readonly action: WindowAction;
  readonly query: WorkspaceQuery;
  readonly own: OwnViewTypes;
  /** An unsaved record has no list to go back to. */
  readonly isTransient: boolean;
}

/** The action, and on a form the record after it; the last one is the current screen, so it has no link. */
export function breadcrumbs(
  { action, query, own, isTransient }: Crumbed,
  menuId: string,
  isForm: boolean,
  { records }: ViewData,
  translate: Translate,
): WorkspacePayload['breadcrumbs'] {
  if (!isForm || isTransient) return [{ label: action.name }];
  const back = shownTypes(action, own).find((type) => type !== 'form') ?? 'list';
  const href = workspaceHref([
    ...placeParts(action, menuId),
    ['view_type', back],
    ...searchParts(query),
    ['offset', query.offset || null],
  ]);
  const [record] = records;
  const name = record ? String(record.display_name ?? action.name) : translate('New');
  return [{ label: action.name, href }, { label: name }];
}
