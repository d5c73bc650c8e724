import { createStore } from '../data/store.ts';

/** Which of the overlays is open; at most one at a time. */
export const overlay = createStore<'palette' | 'keys' | null>(null);
