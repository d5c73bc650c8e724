import { type Domain, serializeDomain } from '@kontor/protocol';
import { topConditions } from '../../fields/domain/domain-value.ts';
import { trailFromHere } from '../../navigation/crumbs.ts';
import { navigate } from '../../navigation/router.ts';
import { type SearchState, splitExtra, toHref } from '../../search/search-state.ts';
import type { ViewProps } from '../define-view.ts';

type Shown = Pick<ViewProps, 'workspace' | 'search'>;

/**
 * Opens the records behind a figure in a list; the breadcrumbs lead back here. `domain` is the `__domain` of its row.
 * Conditions that the figure adds to the search can be removed one by one.
 */
export function openRecords(shown: Shown, domain: Domain): void {
  void navigate(recordsHref(shown, domain), { trail: trailFromHere() });
}

export function recordsHref({ workspace, search }: Shown, domain: Domain): string {
  const base = topConditions(workspace.arch.domain ?? []).map((node) => JSON.stringify(node));
  const wanted = topConditions(domain);
  const isWithin = base.every((text, at) => JSON.stringify(wanted[at]) === text);
  const list: SearchState = {
    ...search,
    action: search.action || String(workspace.actionId || ''),
    model: workspace.model,
    menuId: search.menuId || workspace.menuId,
    viewType: 'list',
    groupBy: [],
    sort: '',
    offset: 0,
    extra: splitExtra(search.extra, false),
  };
  // Another period than the one on screen: its conditions replace the search.
  if (!isWithin) return toHref({ ...list, text: '', filters: [], domain });
  return toHref({ ...list, domain: [...search.domain, ...wanted.slice(base.length).flatMap(serializeDomain)] });
}
