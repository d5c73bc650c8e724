import type { WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../data/store.ts';

/** The workspace on screen, for the shell: palette, keys, counts. */
export const currentView = createStore<WorkspacePayload | null>(null);
