import { createStore } from '../state/store.ts';

/** The open overlay; at most one at a time. */
export const overlay = createStore<'palette' | 'keys' | 'changes' | null>(null);

let ahead = '';

/** Keys typed before the palette's code is loaded. */
export function typeAhead(letter: string): void {
  ahead += letter;
}

export function takeTypedAhead(): string {
  const typed = ahead;
  ahead = '';
  return typed;
}
