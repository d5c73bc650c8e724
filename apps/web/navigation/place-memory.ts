import { useCallback, useState } from 'react';

/** What a screen looked like when one left it (scroll, open groups), by its address. Lives as long as the page. */
const kept = new Map<string, unknown>();
const keptPlaces = 200;

export function rememberPlace(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= keptPlaces) break;
    kept.delete(oldest);
  }
}

export function recallPlace<T>(key: string, otherwise: T): T {
  return kept.has(key) ? (kept.get(key) as T) : otherwise;
}

/** State that is there again when one comes back. A new key starts from what was kept under it. */
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
