import type { WorkspacePayload } from '@kontor/protocol';
import { loadWorkspace } from '../data/workspace.ts';
import { entryOf } from '../data/workspace-cache.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { navigate } from '../navigation/router.ts';
import { parseSearch, type SearchState, toHref, toQuery } from '../search/search-state.ts';

/** The form of a record (0: a new one) within the search it was found by, so that previous and next work. */
export function recordSearch(search: SearchState, workspace: WorkspacePayload, id: number): SearchState {
  return {
    ...search,
    action: search.action || String(workspace.actionId || ''),
    model: workspace.model,
    menuId: search.menuId || workspace.menuId,
    viewType: 'form',
    recordId: id,
    isEditing: false,
  };
}

export function recordHref(search: SearchState, workspace: WorkspacePayload, id: number): string {
  return toHref(recordSearch(search, workspace, id));
}

/** Opens the form; the breadcrumbs lead back to exactly this screen. */
export function openRecord(search: SearchState, workspace: WorkspacePayload, id: number): void {
  void navigate(recordHref(search, workspace, id), { trail: trailFromHere() });
}

/** Fetches a form before it is asked for: on hover, on focus, when idle. Quiet, and only once. */
export function prefetchRecord(search: SearchState, workspace: WorkspacePayload, id: number): void {
  const query = toQuery(parseSearch(toQuery(recordSearch(search, workspace, id))));
  const entry = entryOf(query).get();
  if (!entry.payload && !entry.isLoading) void loadWorkspace(query, { isQuiet: true });
}
