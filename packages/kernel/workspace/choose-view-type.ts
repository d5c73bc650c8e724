import { KontorError, type ViewType, viewTypes } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { WorkspaceQuery } from './workspace-query.ts';

/**
 * The view to show: the one asked for, a form where a record is named, else the action's first. Rows behind a chart and the
 * record behind a row can always be opened, so a list and a form are never refused.
 */
export function chooseViewType(action: WindowAction, { viewType, id }: WorkspaceQuery): ViewType {
  if (viewType === null) return id === null ? (shownTypes(action)[0] ?? 'list') : 'form';
  if (viewType === 'list' || viewType === 'form' || action.id === 0 || action.modes.includes(viewType)) return viewType;
  throw new KontorError('NOT_FOUND', `${action.name} has no ${viewType} view.`, {
    view_type: viewType,
    hint: shownTypes(action).join(', '),
  });
}

/** The types of an action in its order. */
export function shownTypes(action: WindowAction): readonly ViewType[] {
  return action.modes.filter((mode): mode is ViewType => (viewTypes as readonly string[]).includes(mode));
}
