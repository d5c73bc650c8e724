import type { ArchField } from '@kontor/protocol';
import type { ExportChoice } from './export-choice.ts';
import type { ExportTarget } from './open-export.ts';

const relations: ReadonlySet<string> = new Set(['many2one', 'one2many', 'many2many']);

/** The address that downloads it: these columns of the records that are chosen, or of all that match. */
export function exportHref(
  { workspace, ids }: ExportTarget,
  choice: ExportChoice,
  fields: readonly ArchField[],
): string {
  const params = new URLSearchParams({ model: workspace.model, fields: exportPaths(choice, fields).join(',') });
  if (workspace.actionId > 0) params.set('action', String(workspace.actionId));
  if (ids.length > 0) params.set('ids', ids.join(','));
  else if (workspace.arch.domain?.length) params.set('domain', JSON.stringify(workspace.arch.domain));
  if (workspace.listSort) params.set('sort', workspace.listSort);
  if (choice.format === 'pdf') params.set('page_size', choice.pageSize);
  // The action's own domain may speak of the records that it was opened from.
  const opened = new URLSearchParams(location.search).get('active_ids');
  if (opened) params.set('active_ids', opened);
  return `/web/export/${choice.format}?${params}`;
}

function exportPaths({ format, isForImport, columns }: ExportChoice, fields: readonly ArchField[]): readonly string[] {
  if (format === 'pdf') return columns;
  if (isForImport) return [...new Set(['id', ...columns])];
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return columns.map((name) => (relations.has(types.get(name) ?? '') ? `${name}.display_name` : name));
}
