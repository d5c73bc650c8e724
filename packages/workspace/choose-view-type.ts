import type { OwnViewTypes } from '@kontor/kernel';
import { didYouMean, invalidArgs, KontorError, text, viewTypes } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { WorkspaceQuery } from './workspace-query.ts';

/**
 * The view to show: the one asked for, a form where a record is named, else the action's first. Rows behind a chart and the
 * record behind a row can always be opened, so a list and a form are never refused.
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

/** The types of an action in its order. */
export function shownTypes(action: WindowAction, own: OwnViewTypes): readonly string[] {
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
