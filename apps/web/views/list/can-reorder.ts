import type { WorkspacePayload } from '@kontor/protocol';

/** Rows can be dragged where they stand in the order that dragging makes. */
export function canReorder({ arch, listSort }: WorkspacePayload): boolean {
  const handle = arch.list?.handle;
  if (handle === undefined || !arch.rights.write || (arch.groupBy?.length ?? 0) > 0) return false;
  return listSort === '' || listSort.split(',')[0]?.trim() === handle;
}
