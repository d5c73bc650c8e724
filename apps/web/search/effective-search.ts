import type { SavedSearch, WorkspacePayload } from '@kontor/protocol';
import { mark, t } from '../i18n/messages.ts';
import { isUntouched, parseSearch, type SearchState, splitExtra } from './search-state.ts';

/** The filters in effect: from the URL, otherwise those the server chose. */
export function effectiveFilters(workspace: WorkspacePayload, search: SearchState): readonly string[] {
  return search.filters ?? workspace.listFilter.split(',').filter((name) => name !== '');
}

function effectiveGroups(workspace: WorkspacePayload, search: SearchState): readonly string[] {
  return search.groupBy ?? workspace.arch.groupBy ?? [];
}

/** The complete search in effect, including the user's default search or the action's. Changes start from here. */
export function effectiveSearch(workspace: WorkspacePayload, search: SearchState): SearchState {
  const { saved: known, opening } = workspace.arch.search;
  const own = known.find((saved) => saved.isDefault);
  const saved = !isUntouched(search)
    ? null
    : own
      ? withSaved(search, own)
      : opening
        ? withOpening(search, opening)
        : null;
  const base = saved ? { ...saved, extra: { ...saved.extra, ...search.extra } } : search;
  const groups = effectiveGroups(workspace, base);
  // `groupBy: null` stays null, because the view may have its own grouping (the stages of a kanban).
  return {
    ...base,
    filters: effectiveFilters(workspace, base),
    groupBy: base.groupBy ?? (groups.length > 0 ? groups : null),
  };
}

/**
 * Adds the view's own measures to the search, so that it shows the same measure to others and after a change of rights, or says
 * that it is not available.
 */
export function withMeasures({ arch }: WorkspacePayload, search: SearchState): SearchState {
  const own = arch.graph?.measures.slice(0, 1) ?? arch.pivot?.measures ?? (arch.cohort ? [arch.cohort.measure] : []);
  if (own.length === 0 || search.extra.measure) return search;
  const measure = own.map(({ name, measure: how }) => (how === 'count' ? '__count' : name)).join(',');
  return { ...search, extra: { ...search.extra, measure } };
}

/** Replaces the current search by a saved one, including all of its filters. */
export function withSaved(search: SearchState, { query }: SavedSearch): SearchState {
  const { text, filters, groupBy, domain, sort, extra } = parseSearch(query);
  const kept = { ...splitExtra(search.extra, false), ...splitExtra(extra, true) };
  return { ...search, text, filters: filters ?? [], groupBy, domain, sort, offset: 0, extra: kept };
}

/** The search that the action opens with; the filters of the view stay as they are. */
function withOpening(search: SearchState, opening: string): SearchState {
  const { domain, extra } = parseSearch(opening);
  return { ...search, domain, extra };
}

export function toggle(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
}

const granularities: Readonly<Record<string, string>> = {
  hour: mark('hour'),
  day: mark('day'),
  week: mark('week'),
  month: mark('month'),
  quarter: mark('quarter'),
  year: mark('year'),
};

/** The label of a group such as `date_order:month`. */
export function groupLabel({ arch }: WorkspacePayload, group: string): string {
  const [name = '', granularity] = group.split(':');
  const label =
    arch.fields.find((field) => field.name === name)?.label ??
    arch.search.filters.find((filter) => filter.groupBy === group)?.label ??
    name;
  return granularity ? `${label}: ${t(granularities[granularity] ?? granularity)}` : label;
}
