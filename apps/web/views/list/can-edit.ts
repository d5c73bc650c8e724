import { type Arch, holds, type RecordValues, type WorkspacePayload } from '../../door/index.ts';
import { takesInput } from '../table/cell-control.tsx';
import type { Column } from '../table/columns.ts';

/** Whether the user can edit this cell in place. */
export function canEditCell(arch: Arch, column: Column, record: RecordValues): boolean {
  return arch.rights.write && takesInput(column, record, arch.fields) && !isHiddenCell(arch, column, record);
}

export function isHiddenCell(arch: Arch, { node }: Column, record: RecordValues): boolean {
  return holds(node.invisible, record, arch.fields);
}

export function isRequiredCell(arch: Arch, { field, node }: Column, record: RecordValues): boolean {
  return node.required === undefined ? field.required : holds(node.required, record, arch.fields);
}

export function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Rows can be dragged only if the list is sorted by its handle. */
export function canReorder({ arch, listSort }: WorkspacePayload): boolean {
  const handle = arch.list?.handle;
  if (handle === undefined || !arch.rights.write || (arch.groupBy?.length ?? 0) > 0) return false;
  return listSort === '' || listSort.split(',')[0]?.trim() === handle;
}
