import { useCallback, useState } from 'react';

/** UI state (scroll position, open groups) by URL, kept until the page is closed. */
const kept = new Map<string, unknown>();
const keptPlaces = 200;

/** Remembers UI state under a key until the page is closed. */
export function rememberPlace(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= keptPlaces) break;
    kept.delete(oldest);
  }
}

/** The value remembered under a key, or `otherwise`. */
export function recallPlace<T>(key: string, otherwise: T): T {
  return kept.has(key) ? (kept.get(key) as T) : otherwise;
}

/** State that is restored when the user comes back to the screen. */
export function usePlaceState<T>(key: string, initial: T): [T, (next: T) => void] {
  const [state, setState] = useState({ key, value: recallPlace(key, initial) });
  const value = state.key === key ? state.value : recallPlace(key, initial);
  const set = useCallback(
    (next: T) => {
      rememberPlace(key, next);
      setState({ key, value: next });
    },
    [key],
  );
  return [value, set];
}
