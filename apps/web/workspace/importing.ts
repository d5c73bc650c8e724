import type { WorkspacePayload } from '@kontor/protocol';
import { lazyComponent } from '../state/lazy.tsx';

/** Loaded when the user imports something. */
export const { Component: ImportDialog } = lazyComponent(
  async () => (await import('./import-dialog.tsx')).ImportDialog,
);

export function canImport({ arch }: WorkspacePayload): boolean {
  return arch.rights.create && arch.list?.create !== false && arch.isTransient !== true;
}
