import { createStore } from '../state/store.ts';

/** Which of the overlays is open; at most one at a time. */
export const overlay = createStore<'palette' | 'keys' | 'changes' | null>(null);

let ahead = '';

/** Letters typed for the palette before its code is there. */
export function typeAhead(letter: string): void {
  ahead += letter;
}

export function takeTypedAhead(): string {
  const typed = ahead;
  ahead = '';
  return typed;
}
