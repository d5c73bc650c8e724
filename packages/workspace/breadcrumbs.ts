import type { OwnViewTypes } from '@kontor/kernel';
import type { Translate, WorkspacePayload } from '@kontor/protocol';
import { shownTypes } from './choose-view-type.ts';
import type { WindowAction } from './load-interface.ts';
import { placeParts, searchParts, workspaceHref } from './query-string.ts';
import type { ViewData } from './view-request.ts';
import type { WorkspaceQuery } from './workspace-query.ts';

interface Crumbed {
  readonly action: WindowAction;
  readonly query: WorkspaceQuery;
  readonly own: OwnViewTypes;
  /** What is not kept has no list to go back to. */
  readonly isTransient: boolean;
}

/** The action, and on a form the record after it; the last is where one is, so it leads nowhere. */
export function breadcrumbs(
  { action, query, own, isTransient }: Crumbed,
  menuId: string,
  isForm: boolean,
  { records }: ViewData,
  translate: Translate,
): WorkspacePayload['breadcrumbs'] {
  if (!isForm || isTransient) return [{ label: action.name }];
  const back = shownTypes(action, own).find((type) => type !== 'form') ?? 'list';
  const href = workspaceHref([
    ...placeParts(action, menuId),
    ['view_type', back],
    ...searchParts(query),
    ['offset', query.offset || null],
  ]);
  const [record] = records;
  const name = record ? String(record.display_name ?? `#${record.id}`) : translate('New');
  return [{ label: action.name, href }, { label: name }];
}
