import type { WorkspacePayload } from '@kontor/protocol';
import type { Column } from './columns.ts';

/** The address that downloads what is seen: these columns, and these rows or all that match. */
export function exportHref(
  workspace: WorkspacePayload,
  columns: readonly Column[],
  ids: readonly number[] = [],
): string {
  const params = new URLSearchParams({ model: workspace.model, fields: columns.map(({ name }) => name).join(',') });
  if (workspace.actionId > 0) params.set('action', String(workspace.actionId));
  const domain = ids.length > 0 ? [['id', 'in', ids]] : (workspace.arch.domain ?? []);
  if (domain.length > 0) params.set('domain', JSON.stringify(domain));
  if (workspace.listSort) params.set('sort', workspace.listSort);
  return `/web/export/csv?${params}`;
}
