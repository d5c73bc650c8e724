import { toJson } from '@kontor/orm';
import { serializeDomain } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { WorkspaceQuery } from './workspace-query.ts';

type Part = readonly [name: string, value: string | number | null];

/** Where the screen is: its action or model, and the menu it was opened from. */
export function placeParts(action: WindowAction, menuId: string): readonly Part[] {
  return [
    ['action', action.id || null],
    ['model', action.id ? null : action.model],
    ['menu_id', menuId],
  ];
}

/** What was searched for, as far as the caller said it: it goes along from view to view. */
export function searchParts(query: WorkspaceQuery): readonly Part[] {
  return [
    ['q', query.q],
    ['filter', query.filter?.length === 0 ? '' : (query.filter?.join(',') ?? null)],
    ['group_by', query.groupBy?.length === 0 ? '' : (query.groupBy?.join(',') ?? null)],
    ['domain', query.domain ? toJson(serializeDomain(query.domain)) : null],
    ['sort', query.sort],
    ['context', Object.keys(query.context).length > 0 ? toJson(query.context) : null],
    ['active_ids', query.activeIds.length > 0 ? query.activeIds.join(',') : null],
  ];
}

/** Null is left out; an empty text is kept only where being empty says something. */
export function queryString(parts: readonly Part[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parts) {
    if (value === null || (value === '' && name !== 'filter' && name !== 'group_by')) continue;
    query.append(name, String(value));
  }
  return query.toString();
}

export function workspaceHref(parts: readonly Part[]): string {
  return `/web?${queryString(parts)}`;
}
