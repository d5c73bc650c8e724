import { useCallback, useSyncExternalStore } from 'react';

const lists = new Map<string, MediaQueryList>();

/** The same list for the same query: the browser keeps each that it was asked for, and asking costs as much as a cell. */
function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether the window is as a media query says, right now. */
export function matchesMedia(query: string): boolean {
  return listOf(query).matches;
}

/** Calls back when a media query changes. Returns what stops it. */
export function onMediaChange(query: string, listener: () => void): () => void {
  listOf(query).addEventListener('change', listener);
  return () => listOf(query).removeEventListener('change', listener);
}

/** The same for what is drawn, followed as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback((listener: () => void) => onMediaChange(query, listener), [query]);
  return useSyncExternalStore(subscribe, () => matchesMedia(query));
}
