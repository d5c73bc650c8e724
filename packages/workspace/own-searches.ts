import type { SavedSearch } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { SavedSearchRow, UserSettings } from './load-user-settings.ts';
import { readWorkspaceQuery, type WorkspaceQuery } from './workspace-query.ts';

/** Searches that this screen offers: the person's own, and those that others share. */
export function ownSearches(settings: UserSettings, action: WindowAction): readonly SavedSearch[] {
  return searchesOf(settings, action).map(({ id, name, isShared, isMine, isDefault, query }) => ({
    id,
    name,
    isShared,
    isMine,
    isDefault,
    query,
  }));
}

/** Who opens a screen without a word about what to search for gets the search that they keep for it. */
export function withDefaultSearch(query: WorkspaceQuery, settings: UserSettings, action: WindowAction): WorkspaceQuery {
  const { q, filter, groupBy, domain, sort } = query;
  const isOpen = q === '' && filter === null && groupBy === null && domain === null && sort === null;
  const own = isOpen ? searchesOf(settings, action).find((search) => search.isDefault) : undefined;
  if (!own) return query;
  const kept = readWorkspaceQuery(Object.fromEntries(new URLSearchParams(own.query)));
  // Its filters are all of it: those that the view opens with are not added to them.
  return {
    ...query,
    q: kept.q,
    filter: kept.filter ?? [],
    groupBy: kept.groupBy,
    domain: kept.domain,
    sort: kept.sort,
  };
}

function searchesOf({ searches }: UserSettings, { id, key, model }: WindowAction): readonly SavedSearchRow[] {
  const places: ReadonlySet<string> = new Set(['', key, String(id)]);
  return searches.filter((search) => search.model === model && places.has(search.action));
}
