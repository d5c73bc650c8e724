import type { WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../../state/store.ts';

/** What to export: everything a screen shows, or some of its records. */
export interface ExportTarget {
  readonly workspace: WorkspacePayload;
  /** Visible fields, in order; empty: those of the view. */
  readonly seen: readonly string[];
  /** Selected records; empty: all matching ones. */
  readonly ids: readonly number[];
}

/** The target of the open dialog. */
export const exportTarget = createStore<ExportTarget | null>(null);

/** Opens the export dialog for a screen, or for some of its records. */
export function openExport(workspace: WorkspacePayload, seen: readonly string[], ids: readonly number[] = []): void {
  exportTarget.set({ workspace, seen, ids });
}
