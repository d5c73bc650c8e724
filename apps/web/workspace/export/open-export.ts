import type { WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../../state/store.ts';

/** What somebody wants to export: what a screen shows, or some of its records. */
export interface ExportTarget {
  readonly workspace: WorkspacePayload;
  /** Fields that are seen, in their order; none: as the view says. */
  readonly seen: readonly string[];
  /** Chosen records; none: all that match. */
  readonly ids: readonly number[];
}

/** What the dialog is open for. */
export const exportTarget = createStore<ExportTarget | null>(null);

/** Opens the dialog that exports what a screen shows, or some of its records. */
export function openExport(workspace: WorkspacePayload, seen: readonly string[], ids: readonly number[] = []): void {
  exportTarget.set({ workspace, seen, ids });
}
