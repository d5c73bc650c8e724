import type { WorkspacePayload } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import type { SearchState } from './search-state.ts';

/** Filters in effect: what the address says, else what the server chose. */
export function effectiveFilters(workspace: WorkspacePayload, search: SearchState): readonly string[] {
  return search.filters ?? workspace.listFilter.split(',').filter((name) => name !== '');
}

export function effectiveGroups(workspace: WorkspacePayload, search: SearchState): readonly string[] {
  return search.groupBy ?? workspace.arch.groupBy ?? [];
}

export function toggle(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
}

/** `date_order:month` in words. */
export function groupLabel({ arch }: WorkspacePayload, group: string): string {
  const [name = '', granularity] = group.split(':');
  const label =
    arch.fields.find((field) => field.name === name)?.label ??
    arch.search.filters.find((filter) => filter.groupBy === group)?.label ??
    name;
  return granularity ? `${label}: ${t(granularity)}` : label;
}
