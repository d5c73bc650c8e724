import type { WorkspacePayload } from '@kontor/protocol';
import { loadWorkspace } from '../data/workspace.ts';
import { entryOf, hasFormArch } from '../data/workspace-cache.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { navigate } from '../navigation/router.ts';
import { parseSearch, type SearchState, toHref, toQuery, workspaceQuery } from '../search/search-state.ts';
import { whenIdle } from '../state/idle.ts';
import { viewOf } from './view-lookup.ts';

/** The form of a record (0: a new one) with the search it was found by, so that previous and next work. */
function recordSearch(search: SearchState, workspace: WorkspacePayload, id: number): SearchState {
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

/** The URL of a record's form, from this workspace. */
export function recordHref(search: SearchState, workspace: WorkspacePayload, id: number): string {
  return toHref(recordSearch(search, workspace, id));
}

/** Opens the form; the breadcrumbs lead back to exactly this screen. */
export function openRecord(search: SearchState, workspace: WorkspacePayload, id: number, go = navigate): void {
  void go(recordHref(search, workspace, id), { trail: trailFromHere() });
}

/** Prefetches a form: on hover, on focus, when idle. Silent, and only once. */
export function prefetchRecord(search: SearchState, workspace: WorkspacePayload, id: number): void {
  const query = workspaceQuery(parseSearch(toQuery(recordSearch(search, workspace, id))));
  const entry = entryOf(query).get();
  if (!entry.payload && !entry.isLoading) void loadWorkspace(query, { isQuiet: true });
}

/** Prefetches one form and its code when idle: with its arch in memory, every row opens in the same frame. */
export function prefetchForm(search: SearchState, workspace: WorkspacePayload): (() => void) | undefined {
  const [first] = workspace.records;
  if (!('requestIdleCallback' in window)) return;
  const isKnown = !first || hasFormArch(search.action || String(workspace.actionId || ''), workspace.model);
  const prefetch = () => {
    viewOf('form').preload();
    if (!isKnown) prefetchRecord(search, workspace, first.id);
  };
  return whenIdle(prefetch);
}
