import { type Domain, type MeasureArch, serializeDomain } from '@kontor/protocol';
import { topConditions } from '../../fields/domain/domain-value.ts';
import { trailFromHere } from '../../navigation/crumbs.ts';
import { navigate } from '../../navigation/router.ts';
import { type SearchState, splitExtra, toHref } from '../../search/search-state.ts';
import type { ViewProps } from '../define-view.ts';

type Shown = Pick<ViewProps, 'workspace' | 'search'> & { readonly measures?: readonly MeasureArch[] };

/**
 * Opens the records behind a figure in a list; the breadcrumbs lead back here. `domain` is the `__domain` of its row.
 * Conditions that the figure adds to the search can be removed one by one. The measures are columns of the list, with their totals,
 * so that the list adds up to the figure.
 */
export function openRecords(shown: Shown, domain: Domain): void {
  void navigate(recordsHref(shown, domain), { trail: trailFromHere() });
}

export function recordsHref({ workspace, search, measures = [] }: Shown, domain: Domain): string {
  const base = topConditions(workspace.arch.domain ?? []).map((node) => JSON.stringify(node));
  const wanted = topConditions(domain);
  const isWithin = base.every((text, at) => JSON.stringify(wanted[at]) === text);
  const figures = measures
    .filter(({ measure }) => measure === 'sum' || measure === 'avg')
    .map(({ field, measure }) => `${field}:${measure}`)
    .join();
  const list: SearchState = {
    ...search,
    action: search.action || String(workspace.actionId || ''),
    model: workspace.model,
    menuId: search.menuId || workspace.menuId,
    viewType: 'list',
    groupBy: [],
    sort: '',
    offset: 0,
    extra: { ...splitExtra(search.extra, false), ...(figures === '' ? {} : { figures }) },
  };
  // Another period than the one on screen: its conditions replace the search.
  if (!isWithin) return toHref({ ...list, text: '', filters: [], domain });
  return toHref({ ...list, domain: [...search.domain, ...wanted.slice(base.length).flatMap(serializeDomain)] });
}
